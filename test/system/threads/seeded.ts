import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Key, startTestGateway } from '../../gateway.ts'
import type { Upstream } from '../../upstream.ts'

/** A data folder with a workspace, a line and a key, as a gateway that has stopped left it. */
export interface Seeded {
  readonly dataDir: string
  readonly key: Key
  readonly workspaceId: string
  readonly lineId: string
  readonly callbackPath: string
  readonly appSecret: string
  remove(): void
}

/** How a line is paced. */
export interface Pace {
  readonly perSecond: number
  readonly pairSeconds: number
}

/** @param dataDir one of its own when it is not given */
export async function seedFolder(
  upstream: Upstream,
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-seeded-')),
  pace: Pace = { perSecond: 0, pairSeconds: 0 },
): Promise<Seeded> {
  const { gateway, key, workspaceId, channelId, line, appSecret, stop } = await startTestGateway({ upstream, dataDir })
  await gateway.store.write.changeLine({ lineId: line.id, ...pace })
  await stop()
  return {
    dataDir,
    key,
    workspaceId,
    lineId: line.id,
    callbackPath: `/callbacks/channel/${channelId}`,
    appSecret,
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
