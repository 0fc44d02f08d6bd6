import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, wait } from '../../src/base/clock.ts'
import { sha256 } from '../../src/base/crypto.ts'
import type { FileKeeper } from '../../src/media/incoming/keeper.ts'
import type { FileStorage } from '../../src/media/storage.ts'
import type { FileReceiver } from '../../src/operations/fileReceiver.ts'
import type { World } from './world.ts'

/** Files in a folder. Nothing waits for the system: what does would leave the one thread, and the time of a history. */
export const filesIn = (folder: string): FileStorage => ({
  async put(id, path) {
    renameSync(path, join(folder, id))
  },
  async remove(id) {
    rmSync(join(folder, id), { force: true })
  },
  async open(id, bytes, from, end) {
    const path = join(folder, id)
    if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) return null
    return new ReadableStream({
      start(stream) {
        stream.enqueue(readFileSync(path).subarray(from, end))
        stream.close()
      },
    })
  },
})

/** How long a caller takes to send the second half. */
const halfMsMax = 200

/** As `src/operations/fileReceiver.ts`, of a PDF that is the whole body, in two pieces. */
export function receiverOf(parts: {
  readonly files: FileKeeper
  readonly fileStorage: FileStorage
  readonly clock: Clock
  readonly world: World
}): FileReceiver {
  const { files, fileStorage, clock, world } = parts
  return async (workspaceId, body) => {
    const kept = await files.keepGiven<never>(workspaceId, fileStorage, path =>
      body(async request => {
        const content = Buffer.from(await request.text())
        writeFileSync(path, content.subarray(0, content.length >> 1))
        await wait(clock, world.upTo(halfMsMax))
        writeFileSync(path, content)
        const { length: bytes } = content
        return { bytes, sha256: sha256(content), mimeType: 'application/pdf', fileName: null }
      }),
    )
    if ('refused' in kept) throw new Error('a file was refused')
    const { id, bytes, fileName } = kept
    const file = { id, type: 'document', mimeType: 'application/pdf', size: bytes ?? 0, fileName } as const
    return { ok: true, file }
  }
}
