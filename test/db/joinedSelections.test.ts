import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { ownTables } from '../../db/sqlite/schema.ts'
import { lossyObjects } from './joinedSelections.ts'

const db = drizzle({ client: new Database(':memory:') })
const { contacts, inboundMessages } = ownTables
const { id, phone, name } = contacts

test.each([
  ['a joined object that begins with a nullable column', { contact: { phone, name } }, ['contact: contacts.phone']],
  ['one that begins with a column that is never null', { contact: { id, phone } }, []],
  ['a joined column by itself', { phone }, []],
  ['an object of the table that is read', { entry: { lineId: inboundMessages.lineId } }, []],
  ['a whole table', { contact: contacts }, []],
])('%s', (_, fields, found) => {
  const query = db.select(fields).from(inboundMessages).leftJoin(contacts, eq(id, inboundMessages.contactId))
  expect(lossyObjects(query as never)).toEqual(found)
})
