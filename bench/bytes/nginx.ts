import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../testing/servers/free-port.ts'
import { type Pinned, startPinned } from './pinned.ts'

/** nginx with one worker over the file system's cache: sendfile, keep-alive, no log. */
export async function startNginx(folder: string, images: number, size: number): Promise<Pinned> {
  const port = await freePort()
  await mkdir(join(folder, 'root'), { recursive: true })
  const names = Array.from({ length: images }, (_, index) => `${index}.png`)
  for (const name of names) await writeFile(join(folder, 'root', name), randomBytes(size))
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration(folder, port))
  const told = JSON.stringify({ port, paths: names.map((name) => ({ path: `/${name}`, etag: '' })) })
  // It prints nothing when it is ready.
  const run = `nginx -c ${file} -p ${folder} -e stderr & until curl -sfo /dev/null 127.0.0.1:${port}/0.png; do sleep 0.1; done; echo '${told}'; trap 'kill %1' TERM; wait`
  return startPinned(['bash', '-c', run])
}

const configuration = (folder: string, port: number) => `
daemon off;
master_process off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  types { image/png png; }
  sendfile on;
  tcp_nopush on;
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 60s;
  client_body_temp_path ${folder}/body;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/root;
    add_header Cache-Control "public, max-age=300";
  }
}
`
