import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { rules } from '../monitoring/dashboard.ts'
import { Deployment } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

const printed = (env: Record<string, string>) => deployment.run(['alerts'], { env })

test('the alerts are those of the packages, with links to PUBLIC_URL, and no database is needed', async () => {
  const publicUrl = 'https://gateway.example.com/waypost'
  const { code, stdout, stderr } = await printed({ PUBLIC_URL: publicUrl })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.match(/runbook_url: \S+/g)).toHaveLength(rules.match(/- alert:/g)?.length ?? 0)
  expect(new Set(stdout.match(/https?:[^#\s]+/g))).toEqual(new Set([`${publicUrl}/docs/operate`]))
  expect(stdout.replaceAll(publicUrl, 'http://127.0.0.1:8080')).toBe(rules)
  expect(existsSync(deployment.dataDir)).toBe(false)
})

test('without PUBLIC_URL they lead to where the gateway listens', async () => {
  expect((await printed({})).stdout).toBe(rules)
  const { stdout } = await printed({ HOST: '0.0.0.0', PORT: '9000' })
  expect(stdout).toBe(rules.replaceAll('127.0.0.1:8080', '127.0.0.1:9000'))
})
