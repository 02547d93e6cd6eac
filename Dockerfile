# Builds the image of Sluice: docs/install.md.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run package

FROM debian:bookworm-slim
RUN useradd --uid 1000 --home-dir /data --shell /usr/sbin/nologin sluice \
  && install --directory --owner sluice --group sluice --mode 700 /data /var/cache/sluice \
  && ln -s /app/sluice /usr/local/bin/sluice
COPY --from=build /src/dist /app
WORKDIR /app
ENV PATH=/app/node_modules/node/bin:$PATH HOST=0.0.0.0 SLUICE_DATA=/data \
  NODE_OPTIONS=--disable-warning=ExperimentalWarning NODE_COMPILE_CACHE=/var/cache/sluice
USER sluice
# Starts once, so that what Node compiles is in the image: a container then starts a fifth faster.
RUN HOST=127.0.0.1 SLUICE_DATA=/tmp/data node --max-semi-space-size=16 server/main.ts & \
  until node -e "fetch('http://127.0.0.1:3000/setup').catch(() => process.exit(1))"; do kill -0 $! || exit 1; sleep 0.2; done; \
  kill $! && wait $! && rm -r /tmp/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Requests under way are finished, for up to five minutes: give a container that time to stop.
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "server/main.ts"]
