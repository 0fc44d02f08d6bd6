/*
 * Writes the types of both clients, src/api.ts and clients/python/waypost/types.py, from the gateway's own API document:
 * `bun run client:types`. Needs the package registry once, for openapi-typescript.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonTypes } from './pythonTypes.ts'

const generator = 'openapi-typescript@7.13.0'
const root = join(import.meta.dir, '../..')
const target = join(import.meta.dir, 'src/api.ts')
const folder = mkdtempSync(join(tmpdir(), 'waypost-client-'))

const kit = Bun.spawn(
  [process.execPath, 'src/main.ts', 'sandbox', '--gateway', '--json', '--port=0', '--gateway-port=0'],
  { cwd: root, stdout: 'pipe', stderr: 'inherit' },
)
try {
  const reader = kit.stdout.getReader()
  const { value } = await reader.read()
  const { url } = JSON.parse(new TextDecoder().decode(value)) as { url: string }
  // It names the address that is asked, which is another one each time.
  const response = await fetch(`${url}/docs/json`, { headers: { host: '127.0.0.1:8080' } })
  const document = join(folder, 'openapi.json')
  const text = await response.text()
  await Bun.write(join(root, 'clients/python/waypost/types.py'), pythonTypes(JSON.parse(text)))
  await Bun.write(document, text)
  const { exitCode } = Bun.spawnSync([process.execPath, 'x', generator, document, '--output', target], {
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if (exitCode !== 0) throw new Error(`${generator} failed`)
  const types = await Bun.file(target).text()
  // A test compares it with the document of the gateway: the types are never out of date.
  await Bun.write(
    target,
    `// From the API document with the SHA-256 ${Bun.CryptoHasher.hash('sha256', text, 'hex')}\n${types}`,
  )
} finally {
  kit.kill('SIGTERM')
  await kit.exited
  rmSync(folder, { recursive: true, force: true })
}
Bun.spawnSync([process.execPath, 'x', 'biome', 'check', '--write', target], {
  cwd: root,
  stdout: 'inherit',
  stderr: 'inherit',
})
