import { expect, test } from 'bun:test'
import type { Template } from '../../db/contract/records.ts'
import type { StoreWrites } from '../../db/contract/store.ts'
import type { TemplateRecord } from '../../src/graph/wire.ts'
import { templateRecord } from '../../src/templates/record.ts'
import { syncTemplates } from '../../src/templates/sync.ts'
import { readRequirements } from '../../src/templates/variables.ts'
import { ManualClock } from '../clock.ts'
import { channel } from '../db/fixtures.ts'

/** @returns the variables of a body with both kinds of placeholders, listed with this format, as they are stored */
async function variablesOf(parameter_format: unknown): Promise<string[]> {
  const listed: TemplateRecord = {
    id: '1',
    name: 'both',
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Hi {{name}}, {{1}}' }],
    ...(parameter_format !== undefined && { parameter_format: parameter_format as string }),
  }
  const stored: Template[] = []
  const replaceTemplates: StoreWrites['replaceTemplates'] = async ({ templates }) =>
    void stored.push(...templates.map(listed => ({ ...listed, rejectedReason: null })))
  await syncTemplates({
    store: { write: { replaceTemplates } },
    client: { listTemplates: async () => ({ kind: 'listed', templates: [listed], skipped: 0 }) },
    credentials: { open: () => 'token' },
    clock: new ManualClock(),
    channel: channel(),
  })
  return stored.flatMap(template => readRequirements(templateRecord(template)).variables)
}

test.each([
  ['POSITIONAL', ['1']],
  ['NAMED', ['name', '1']],
  [undefined, ['name', '1']],
  [null, ['name', '1']],
  [7, ['name', '1']],
])('a listed template whose parameter_format is %j takes %j', async (format, variables) => {
  expect((await variablesOf(format)).sort()).toEqual(variables.toSorted())
})
