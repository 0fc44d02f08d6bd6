import { describe, expect, test } from 'bun:test'
import { userRoles } from '../../db/contract/roles.ts'
import { createWorkspace } from '../../src/operations/workspaces.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, startTestGateway } from '../gateway.ts'
import { addPerson, type Person } from './people.ts'

const gateway = sharedFixture(startTestGateway)

const found = (by: Person, name: unknown) => by.call('/api/v1/workspaces', { body: { name } })
const shown = ({ status, json }: Answer) => `${status} ${json?.error ?? 'OK'}`

describe('POST /api/v1/workspaces', () => {
  test('200: an owner makes another workspace and owns it, with its first steps before it', async () => {
    const owner = await addPerson(gateway, 'owner')
    const made = await found(owner, '  My second shop ')
    expect(shown(made)).toBe('200 OK')
    const id = String(made.json.id)
    expect(made.json).toEqual({ id: expect.stringMatching(/^ws_/), name: 'My second shop', role: 'owner' })
    expect((await owner.call('/api/v1/auth/me')).json.workspaces).toContainEqual(made.json)
    expect(shown(await owner.call(`/api/v1/workspaces/${id}/setup`))).toBe('200 OK')
    const invitation = { email: 'ada@example.com', role: 'admin' }
    expect(shown(await owner.call(`/api/v1/workspaces/${id}/invitations`, { body: invitation }))).toBe('200 OK')
  })

  test('200: the audit of the new workspace names who made it', async () => {
    const owner = await addPerson(gateway, 'owner')
    const { id } = (await found(owner, 'My second shop')).json
    const { json } = await owner.call(`/api/v1/workspaces/${id}/audit`)
    expect(json.entries).toMatchObject([{ action: 'workspace.create', subject: id, by: `console:${owner.email}` }])
  })

  test('200: members of the first workspace see nothing of the new one', async () => {
    const [owner, admin] = [await addPerson(gateway, 'owner'), await addPerson(gateway, 'admin')]
    const { id } = (await found(owner, 'My second shop')).json
    expect(shown(await admin.call(`/api/v1/workspaces/${id}/members`))).toBe('404 NOT_FOUND')
    expect((await admin.call('/api/v1/auth/me')).json.workspaces).toHaveLength(1)
  })

  test.each(userRoles.filter(role => role !== 'owner'))(
    '403 FORBIDDEN: %s of all workspaces makes none',
    async role => {
      const before = await gateway.gateway.store.read.workspaces()
      const answer = await found(await addPerson(gateway, role), 'My own shop')
      expect(shown(answer)).toBe('403 FORBIDDEN')
      expect(answer.json.message).toBe(
        'Only an owner of a workspace without a limit of the operator can make another one. Ask your operator.',
      )
      expect(await gateway.gateway.store.read.workspaces()).toEqual(before)
    },
  )

  test('403 FORBIDDEN: an owner whose workspaces have a limit of the operator gets none without one', async () => {
    const { workspaceId } = await gateway.addWorkspace()
    const owner = await addPerson(gateway, 'owner', workspaceId)
    await gateway.gateway.store.write.setMonthlyCeiling({ workspaceId, ceiling: 10 })
    expect(shown(await found(owner, 'My second shop'))).toBe('403 FORBIDDEN')
  })

  test('409 CONFLICT: an owner makes three beside the first, and is told whom to ask; the operator makes any', async () => {
    const owner = await addPerson(gateway, 'owner')
    for (let count = 1; count < 4; count += 1) expect(shown(await found(owner, `Shop ${count}`))).toBe('200 OK')
    const refused = await found(owner, 'One too many')
    expect(shown(refused)).toBe('409 CONFLICT')
    expect(refused.json.message).toBe(
      'An owner may have 4 workspaces here, and you have as many. Ask your operator for another one.',
    )
    const { store } = gateway.gateway
    expect(await createWorkspace(store, { name: 'By the operator', limit: null })).toMatchObject({
      name: 'By the operator',
    })
  })

  test('409 CONFLICT: with OWNER_WORKSPACES_MAX=0, an owner has the first alone', async () => {
    const single = await startTestGateway({ env: { OWNER_WORKSPACES_MAX: '0' } })
    const refused = await found(await addPerson(single, 'owner'), 'A second one')
    expect(refused.json.message).toBe(
      'An owner may have 1 workspace here, and you have as many. Ask your operator for another one.',
    )
    await single.stop()
  })

  test('400 VALIDATION_ERROR: a name is needed, of up to 120 characters', async () => {
    const owner = await addPerson(gateway, 'owner')
    for (const name of [undefined, '', '   ', 7, 'x'.repeat(121)]) {
      const answer = await found(owner, name)
      expect([name, shown(answer)]).toEqual([name, '400 VALIDATION_ERROR'])
      expect(answer.json.details.issues).toMatchObject([{ path: '/name' }])
    }
    expect((await owner.call('/api/v1/auth/me')).json.workspaces).toHaveLength(1)
  })
})
