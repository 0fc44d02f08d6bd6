import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../structure/modules.ts'

interface ClientSetting {
  readonly client: string
  readonly code: (url: string, phoneNumberId: string) => string
}
/** Not by a static import: browser code is type-checked by itself. */
const { clientSettings, ownCode } = (await import(join(root, 'src/console/web/pages/clients/clientSettings.ts'))) as {
  readonly clientSettings: readonly ClientSetting[]
  readonly ownCode: string
}

/** A document may break lines where the page does not. */
const plain = (text: string) => text.replaceAll(/\s+/g, '')
const guide = plain(readFileSync(join(root, 'docs/drop-in.md'), 'utf8'))

test.each(clientSettings.map(({ client, code }) => [client, code] as const))(
  'the console and docs/drop-in.md say the same of %s',
  (client, code) => {
    expect(guide).toContain(plain(client === ownCode ? 'Your own code' : client))
    expect(guide).toContain(plain(code('https://gateway.example/graph', '106540352242922')))
  },
)
