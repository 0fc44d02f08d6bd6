import { request } from './request.ts'

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
