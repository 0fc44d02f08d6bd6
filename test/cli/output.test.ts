import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { newId } from '../../src/base/ids.ts'
import { binary, ensureBuilt } from '../executable.ts'
import { Deployment } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

/** More than 10 MB of JSON in one answer: a pipe holds 64 KiB. */
const workspaces = Array.from({ length: 1_000 }, (_, at) => ({
  id: newId('ws'),
  name: `${at} ${'n'.repeat(10_500)}`,
  monthlyMessageLimit: null,
  createdAt: 1_760_000_000_000 + at,
}))

const workspaceId = workspaces[0]?.id ?? ''
/** Some 230 bytes each: an answer that is one to three times what a pipe holds. */
const contacts = Array.from({ length: 1_000 }, (_, at) => ({
  id: newId('contact'),
  workspaceId,
  phone: `+1555${String(at).padStart(7, '0')}`,
  userId: null,
  name: null,
  createdAt: 1_760_000_000_000 + at,
  updatedAt: 1_760_000_000_000 + at,
}))

beforeAll(async () => {
  ensureBuilt()
  await deployment.withStore(async store => {
    await Promise.all(workspaces.map(workspace => store.write.createWorkspace(workspace)))
    await Promise.all(contacts.map(contact => store.write.saveContact(contact)))
  })
})

/**
 * A shell makes real pipes, with their 64 KiB; what a test runtime hands to its children may be sockets.
 * @param line `$WAYPOST` in it is the executable, whatever its folder is called
 */
async function shell(line: string) {
  const child = Bun.spawn(['bash', '-c', line], {
    cwd: deployment.folder,
    env: { WAYPOST: binary, DATA_DIR: deployment.dataDir, PATH: process.env.PATH ?? '' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { stdout, stderr }
}

test('10 MB of JSON come through a pipe whole and once, however slowly they are read', async () => {
  for (const reader of ['cat', 'dd bs=512 status=none']) {
    const { stderr } = await shell(
      `"$WAYPOST" workspace list --json | ${reader} > listed.json; echo \${PIPESTATUS[0]} >&2`,
    )
    expect(stderr).toBe('0\n')
    const listed = JSON.parse(readFileSync(deployment.path('listed.json'), 'utf8')) as { id: string }[]
    expect(listed.map(({ id }) => id)).toEqual(workspaces.map(({ id }) => id))
  }
})

test('an answer a little longer than what a pipe holds comes through it once', async () => {
  for (const count of [350, 500, 700, 1_000]) {
    const list = `"$WAYPOST" contact list --workspace ${workspaceId} --limit ${count} --json`
    const { stderr } = await shell(`${list} | (sleep 0.3; cat) > listed.json; echo \${PIPESTATUS[0]} >&2`)
    expect(stderr).toBe('0\n')
    const listed = readFileSync(deployment.path('listed.json'), 'utf8')
    expect({ count, documents: listed.match(/^\[|\]\[/g)?.length, ids: listed.match(/"contact_/g)?.length }).toEqual({
      count,
      documents: 1,
      ids: count,
    })
    expect(JSON.parse(listed)).toHaveLength(count)
  }
})

test('a file gets the same bytes as a pipe', async () => {
  await shell(`"$WAYPOST" workspace list --json > file.json; "$WAYPOST" workspace list --json | cat > pipe.json`)
  const file = readFileSync(deployment.path('file.json'))
  expect(JSON.parse(file.toString())).toHaveLength(workspaces.length)
  expect(readFileSync(deployment.path('pipe.json')).equals(file)).toBe(true)
})

test('a reader that has seen enough ends the command quietly, with 0', async () => {
  const { stdout, stderr } = await shell(`"$WAYPOST" workspace list | head -c 5; echo " \${PIPESTATUS[0]}"`)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^.{5} 0\n$/s)
})

test('a reader that is gone before the first word ends it quietly too, also --help and --version', async () => {
  for (const call of ['workspace list --json', '--help', '--version', 'version']) {
    const { stdout, stderr } = await shell(`(sleep 0.2; "$WAYPOST" ${call}; echo $? >&2) | exec true`)
    expect({ call, stdout, stderr }).toEqual({ call, stdout: '', stderr: '0\n' })
  }
})

test('an answer that cannot be written is a failure, and says why', async () => {
  const { stderr } = await shell(`"$WAYPOST" workspace list --json > /dev/full; echo $? >&2`)
  expect(stderr).toMatch(/^ENOSPC: no space left.*\n1\n$/)
})
