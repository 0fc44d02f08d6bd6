import type { FileType } from '../../../message/words.ts'
import { request } from './request.ts'

interface UploadedFile {
  readonly id: string
  readonly type: FileType
  readonly name: string
}

/** Files that are fetched at once: a browser has six connections for all its tabs over HTTP/1.1. */
const fetchesMax = 2
let running = 0
const waiting: (() => void)[] = []

/**
 * Fetches a file once it is its turn.
 * @param type the blob's, in place of what the answer says: a page may open a blob as what it claims to be
 * @throws ApiFailure
 */
export async function fetchFile(path: string, type: string, signal: AbortSignal): Promise<Blob> {
  if (running >= fetchesMax) await new Promise<void>(resolve => waiting.push(resolve))
  else running += 1
  try {
    signal.throwIfAborted()
    const answer = await request(path, { signal })
    return new Blob([await answer.arrayBuffer()], { type })
  } finally {
    // The place goes to the next one.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/**
 * Saves what the gateway answers as a file. By `fetch`, because a link cannot send the token.
 * @throws ApiFailure
 */
export async function save(path: string, fileName: string): Promise<void> {
  const response = await request(path)
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}

/** The gateway keeps no longer name. */
const nameCharsMax = 200

/**
 * Gives the gateway a file that is to be sent.
 * @throws ApiFailure
 */
export async function uploadFile(workspaceId: string, file: File, signal?: AbortSignal): Promise<UploadedFile> {
  const form = new FormData()
  const name = file.name.slice(-nameCharsMax)
  form.append('file', file, name)
  const answer = await request(`/api/v1/workspaces/${workspaceId}/media`, { method: 'POST', body: form, signal })
  return { ...((await answer.json()) as Omit<UploadedFile, 'name'>), name }
}
