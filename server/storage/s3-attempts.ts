import type { S3Client } from '@aws-sdk/client-s3'

/** What providers count and charge by. */
export type S3Operation = 'put' | 'get' | 'head' | 'list' | 'delete' | 'multipart'

const operations: Readonly<Record<string, S3Operation>> = {
  PutObjectCommand: 'put',
  GetObjectCommand: 'get',
  HeadObjectCommand: 'head',
  HeadBucketCommand: 'head',
  ListObjectsV2Command: 'list',
  ListMultipartUploadsCommand: 'list',
  DeleteObjectCommand: 'delete',
  CreateMultipartUploadCommand: 'multipart',
  UploadPartCommand: 'multipart',
  CompleteMultipartUploadCommand: 'multipart',
  AbortMultipartUploadCommand: 'multipart',
}

/** Calls `onAttempt` before every HTTP request that the client makes, a retry included. */
export function watchAttempts(client: S3Client, onAttempt: (operation: S3Operation) => void): void {
  client.middlewareStack.add(
    (next, context) => (args) => {
      const operation = operations[context.commandName ?? '']
      if (!operation) throw new TypeError(`${context.commandName} has no class`)
      onAttempt(operation)
      return next(args)
    },
    // Behind the SDK's retries, which have a high priority in this step.
    { name: 'watchAttempts', step: 'finalizeRequest', priority: 'low' },
  )
}
