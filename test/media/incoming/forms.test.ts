import { afterEach, beforeEach, expect, test } from 'bun:test'
import { forgetContact } from '../../../src/operations/erasure.ts'
import { ManualClock } from '../../clock.ts'
import { addPerson } from '../../console/people.ts'
import { startTestGateway, type TestGateway } from '../../gateway.ts'
import { getMedia, keepFiles, picture, userSends } from './user.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startTestGateway({ clock: new ManualClock(Date.now()) })
})
afterEach(() => gateway.stop())

/** @returns the last message, and its file, of an answer to a form */
async function answered(of: TestGateway = gateway) {
  const { json } = await of.get('/api/v1/public/inbound?limit=100')
  const message = json.data.at(-1)
  return { message, file: message.interactive.nfmReply.fields.photo_picker[0] }
}

test('a file that came with a form is fetched as any other, and stands in the answers with our id', async () => {
  const bytes = picture()
  const { id } = await userSends(gateway, { type: 'form', bytes })
  await keepFiles(gateway)
  const { message, file } = await answered()
  expect(message.text).toBe('form: name = Ada, photo_picker = IMG 5237.jpg')
  expect(message.media).toBeNull()
  expect(file).toMatchObject({ id, file_name: 'IMG 5237.jpg', mime_type: 'image/png' })
  const got = await getMedia(gateway, file.mediaId)
  expect([got.status, got.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="IMG 5237.jpg"'])
  expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)

  const viewer = await addPerson(gateway, 'viewer', gateway.workspaceId)
  const path = `/api/v1/workspaces/${gateway.workspaceId}/contacts/${message.contactId}/conversation`
  const [entry] = (await viewer.call(path)).json.entries
  expect(entry.said.files).toMatchObject([{ id: file.mediaId, state: 'stored', shownAs: 'image' }])
})

test('a key of some lines reads those of its lines alone, and nobody one of another workspace', async () => {
  const second = await gateway.addLine()
  await userSends(gateway, { type: 'form' })
  await keepFiles(gateway)
  const { mediaId } = (await answered()).file
  const ofLine = async (lineId: string) => ({ ...gateway, key: await gateway.createKey({ lineIds: [lineId] }) })
  expect((await getMedia(await ofLine(gateway.line.id), mediaId)).status).toBe(200)
  expect((await getMedia(await ofLine(second.id), mediaId)).status).toBe(404)
  expect((await getMedia({ ...gateway, key: (await gateway.addWorkspace()).key }, mediaId)).status).toBe(404)
})

test('it goes with its contact, also when the content of the message went before', async () => {
  const { store } = gateway.gateway
  await userSends(gateway, { type: 'form' })
  await userSends(gateway, { type: 'form' })
  await keepFiles(gateway)
  const { message, file } = await answered()
  await store.write.pruneInboundContents({ recordedBefore: Date.now() + 1_000, limit: 1 })
  await forgetContact({ ...store, workspaceId: null }, message.contactId)
  await keepFiles(gateway)
  expect((await getMedia(gateway, file.mediaId)).status).toBe(404)
  expect(await store.read.dueFiles({ at: Date.now() + 1_000_000, except: [], limit: 10 })).toEqual([])
})
