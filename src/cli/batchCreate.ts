import { basename } from 'node:path'
import type { Command } from 'commander'
import { sha256 } from '../base/crypto.ts'
import type { Issue } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { type CsvItem, type CsvItems, itemsOf, missingValues, type WrongRow } from '../batches/csvItems.ts'
import { type CsvField, type CsvMapping, csvFields, proposeMapping } from '../batches/csvMapping.ts'
import { type CsvTable, csvBytesMax, csvProblems, readCsv } from '../batches/csvTable.ts'
import { duplicateRules, itemsAtOnceMax } from '../message/batches.ts'
import { batchDetails } from '../operations/batchDetails.ts'
import type { BatchSender } from '../operations/batches.ts'
import { sendOfItem } from '../operations/batchItems.ts'
import { addItems, createBatch } from '../operations/batchMaking.ts'
import { moveBatch } from '../operations/batchMoves.ts'
import { type NewBatch, newBatchSchema } from '../operations/batchSchemas.ts'
import { wholeBatchView } from '../operations/batchView.ts'
import { chooseLine } from '../sending/line.ts'
import { readSendAt, sendAtProblem } from '../sending/sendAt.ts'
import { templateRecord } from '../templates/record.ts'
import { parseTemplate, type TemplateShape } from '../templates/shape.ts'
import { checkRequired, checkVariables } from '../templates/values.ts'
import { readRequirements } from '../templates/variables.ts'
import { batchFields } from './batchText.ts'
import { addVerb, type Voice } from './command.ts'
import { CommandError, done, UsageError } from './failure.ts'
import {
  idOf,
  name,
  oneOf,
  oneWorkspaceOption,
  optional,
  type Reader,
  readerOf,
  reference,
  required,
  templateName,
  text,
  toggle,
  withDefault,
} from './inputs.ts'
import { commandLine, report, shellWord, table } from './output.ts'
import type { Session, Workbench } from './session.ts'
import { progress } from './streams.ts'
import { chooseTemplate } from './template.ts'
import { oneWorkspace } from './workspace.ts'

/** Wrong rows that are shown; `--json` has all. */
const wrongShownMax = 20
/** Of a refusal. */
const wrongToldMax = 5

interface Pair {
  readonly key: string
  readonly value: string
}

/** `KEY=TEXT`, which may be given several times. */
const pairs = (placeholder: string, example: string): Reader<readonly Pair[]> => ({
  ...readerOf<readonly Pair[]>(placeholder, `It must have a = between both, as ${example}.`, given => {
    const at = given.indexOf('=')
    return at < 1 ? null : [{ key: given.slice(0, at), value: given.slice(at + 1) }]
  }),
  isList: true,
})

/** Of a template. */
const columnFields = csvFields.filter(field => field !== 'content')

const inputs = {
  csv: required(text('path'), 'a file with a line for each person; its first line names the columns'),
  template: required(templateName, 'the template that all get'),
  language: optional(name, 'its language, as in en_US, where it has several'),
  line: optional(idOf('line'), 'the line to send from, line_…; else the default, or the only active one'),
  workspace: oneWorkspaceOption,
  name: optional(name, 'what you call the batch; the name of the file when absent'),
  map: optional(
    pairs('field=column', 'phone=Mobile or 1=Name'),
    `which column fills what: ${columnFields.join(', ')}, or a value of the template by its key; what is not named ` +
      'is proposed, and shown first',
  ),
  value: optional(pairs('key=text', '2=Friday'), 'a value of the template that is the same for all'),
  duplicates: withDefault(
    oneOf('rule', duplicateRules),
    'skip' as const,
    'what becomes of a row with the recipient of an earlier one: left out, or sent as well',
  ),
  skipWrong: toggle('leave out the rows that are wrong; without it, nothing is made while one is'),
  start: toggle('start it at once; without it and --send-at it is a draft, which batch start starts'),
  sendAt: optional(text('time'), 'start it by itself at this time, with its offset from UTC'),
  key: optional(
    reference(newBatchSchema.properties.idempotencyKey, 'key'),
    'its idempotency key: the same command goes on where it broke off, or changes nothing; when absent, made of the ' +
      'file and the other options, so another batch of the same file needs one',
  ),
  dryRun: toggle('show the columns and the wrong rows, and make nothing'),
}

/** `waypost batch create`: a batch of a file. */
export function createCommand(batch: Command, { withStore }: Workbench): void {
  addVerb(batch, {
    name: 'create',
    summary: 'make a batch of a CSV file: a template to each person of it; --dry-run shows what it would be',
    example: 'batch create --csv people.csv --template order_confirmation --dry-run',
    inputs,
    async run(given, voice) {
      if (given.start && given.sendAt !== undefined)
        throw new UsageError('Both --start and --send-at are given: start it at once, or at that time')
      if (given.sendAt !== undefined && readSendAt(given.sendAt) === null)
        throw new UsageError(`--send-at ${sendAtProblem}`)
      const bytes = await bytesOf(given.csv)
      const read = readCsv(bytes)
      if (!read.ok) throw new UsageError(csvProblems[read.problem])
      return withStore(async session => {
        const plan = await planOf(session, read.table, given)
        const { items, wrong } = plan
        if (wrong.length > 0 && !given.skipWrong && !given.dryRun)
          throw new UsageError(
            `${count(wrong, 'row is', 'rows are')} wrong: ${firstOf(wrong)}. Mend the file, or ${skip}`,
          )
        await voice.tell(planText(read.table, plan))
        const told = { mapping: plan.shown, wrong, items: items.length }
        if (given.dryRun) {
          const text = report('Nothing was made', { items: items.length, 'wrong rows': wrong.length })
          return { data: { ...told, dryRun: true, batch: null }, text, failed: wrong.length > 0 }
        }
        if (items.length === 0) throw new UsageError('No row can be sent')
        const key = given.key ?? keyOf(bytes, plan, given)
        const made = await make(session, plan, { ...given, key }, voice)
        return { ...made, data: { ...told, dryRun: false, batch: made.data } }
      })
    },
  })
}

/** What does not change the items is not in it: a draft is started by the same command with `--start`. */
const keyOf = (bytes: Uint8Array, { defaults, shown }: Plan, { name, duplicates, sendAt }: Omit<Options, 'key'>) =>
  `csv-${sha256(JSON.stringify([sha256(bytes), defaults, shown, name, duplicates, sendAt]))}`

const skip = 'leave such rows out by --skip-wrong'
const count = (of: readonly unknown[], one: string, many: string) => `${of.length} ${of.length === 1 ? one : many}`
const firstOf = (wrong: readonly WrongRow[]) =>
  [
    ...wrong.slice(0, wrongToldMax).map(sentence),
    ...(wrong.length > wrongToldMax ? ['--dry-run shows more'] : []),
  ].join('; ')
const sentence = ({ row, column, message }: WrongRow) => [`row ${row}`, ...(column ? [column] : []), message].join(': ')

async function bytesOf(path: string): Promise<Uint8Array> {
  const file = Bun.file(path)
  if (!(await file.exists())) throw new UsageError(`--csv ${path}: there is no such file`)
  if (file.size > csvBytesMax) throw new UsageError(csvProblems.tooLarge)
  return await file.bytes()
}

/** A column, or a constant, and what it fills. */
interface Shown {
  readonly fills: string
  readonly column: string | null
  readonly first: string
}

interface Plan extends CsvItems {
  readonly workspaceId: string
  readonly defaults: JsonObject
  readonly status: string
  readonly shown: readonly Shown[]
}

interface Given {
  readonly template: string
  readonly language: string | undefined
  readonly line: string | undefined
  readonly workspace: string | undefined
  readonly map: readonly Pair[] | undefined
  readonly value: readonly Pair[] | undefined
}

/** What would be sent: nothing is changed. */
async function planOf({ store }: Session, csv: CsvTable, given: Given): Promise<Plan> {
  const workspaceId = (await oneWorkspace(store, given.workspace)).id
  const chosen = chooseLine(await store.read.lines(workspaceId), given.line ?? null)
  if (!chosen.ok) throw new UsageError(chosen.refusal.message.replace('phoneNumberId', '--line'))
  const { line } = chosen
  const named = await store.read.templatesNamed({ channelId: line.channelId, name: given.template })
  const template = chooseTemplate(named, { name: given.template, language: given.language })
  const record = templateRecord(template)
  const { variables, needsComponents } = readRequirements(record)
  if (needsComponents.length > 0)
    throw new CommandError(`Only templateComponents can fill the template: ${needsComponents.join('; ')}`)
  const shape = parseTemplate(record)
  const constants = Object.fromEntries((given.value ?? []).map(({ key, value }) => [key, value]))
  const values = { required: variables, constants }
  const mapping = mappingOf(csv.header, given.map ?? [], variables, constants)
  const missing = missingValues(mapping, values)
  if (missing.length > 0) {
    const [key = ''] = missing
    throw new UsageError(
      `No column fills ${missing.map(key => `{{${key}}}`).join(', ')} of the template: name it, as by ` +
        `--map ${shellWord(`${key}=${csv.header.at(-1) ?? ''}`)}, or give the same for all by --value ${key}=…`,
    )
  }
  const defaults = {
    ...{ type: 'template', templateName: template.name, templateLanguage: template.language, phoneNumberId: line.id },
  }
  const made = itemsOf(csv, mapping, values)
  const items: CsvItem[] = []
  const wrong = [...made.wrong]
  for (const each of made.items) {
    const problem = problemOf(each, defaults, shape)
    if (problem === null) items.push(each)
    else wrong.push(problem)
  }
  return {
    ...{ workspaceId, defaults, status: template.status, items, shown: shownOf(csv, mapping, constants) },
    wrong: wrong.sort((one, other) => one.row - other.row),
  }
}

/** @returns why the send of a row would be refused; null: what is known here does not refuse it */
function problemOf({ row, item }: CsvItem, defaults: JsonObject, shape: TemplateShape): WrongRow | null {
  const checked = sendOfItem(defaults, item)
  const issues: Issue[] = checked.ok ? [] : [...checked.issues]
  const { templateVariables, templateLanguage } = item as { templateVariables?: Record<string, string> } & JsonObject
  // Another language is another template.
  if (issues.length === 0 && templateLanguage === undefined) {
    checkVariables(shape, templateVariables ?? {}, issues)
    checkRequired(shape.required, templateVariables ?? {}, () => false, issues)
  }
  const [issue] = issues
  if (!issue) return null
  const column = issue.path.split('/').at(-1) ?? null
  return { row, column, code: 'value', message: issue.message }
}

/** What is named by hand, and for the rest a proposal from what is left. @throws UsageError */
function mappingOf(
  header: readonly string[],
  named: readonly Pair[],
  keys: readonly string[],
  constants: Readonly<Record<string, string>>,
): CsvMapping {
  const fields: Partial<Record<CsvField, number>> = {}
  const values: Record<string, number> = {}
  for (const { key: fills, value: column } of named) {
    const at = header.indexOf(column)
    if (at < 0) throw new UsageError(`--map ${fills}=${column}: the file has the columns ${header.join(', ')}`)
    const field = csvFields.find(known => known === fills && !keys.includes(fills))
    if (field) fields[field] = at
    else values[fills] = at
  }
  const taken = new Set([...Object.values(fields), ...Object.values(values)])
  const left = keys.filter(key => !Object.hasOwn(values, key) && !Object.hasOwn(constants, key))
  const proposed = proposeMapping(
    header.map((column, at) => (taken.has(at) ? '' : column)),
    left,
  )
  return { fields: { ...proposed.fields, ...fields }, values: { ...proposed.values, ...values } }
}

function shownOf(
  { header, rows }: CsvTable,
  { fields, values }: CsvMapping,
  constants: Record<string, string>,
): Shown[] {
  const columns = [...Object.entries(fields), ...Object.entries(values).map(([key, at]) => [`{{${key}}}`, at] as const)]
  return [
    ...columns.map(([fills, at]) => ({ fills, column: header[at] ?? '', first: rows[0]?.cells[at] ?? '' })),
    ...Object.entries(constants).map(([key, value]) => ({ fills: `{{${key}}}`, column: null, first: value })),
  ]
}

function planText({ header }: CsvTable, { defaults, status, shown, items, wrong }: Plan): string {
  const used = new Set(shown.map(({ column }) => column))
  const unused = header.filter(column => column !== '' && !used.has(column))
  return [
    report(`${items.length} items of the template ${defaults.templateName}`, {
      ...{ language: String(defaults.templateLanguage), status, line: String(defaults.phoneNumberId) },
      ...(unused.length > 0 && { 'columns not used': unused.join(', ') }),
    }),
    '',
    table({ fills: 'fills', column: 'column', 'first row': 'first' }, shown),
    ...(wrong.length === 0
      ? []
      : [
          '',
          table({ 'wrong row': 'row', column: 'column', why: 'message' }, wrong.slice(0, wrongShownMax)),
          ...(wrong.length > wrongShownMax ? [`… and ${wrong.length - wrongShownMax} more: --json has all`] : []),
        ]),
    '',
  ].join('\n')
}

interface Options {
  readonly csv: string
  readonly name: string | undefined
  readonly duplicates: NewBatch['duplicates']
  readonly start: boolean
  readonly sendAt: string | undefined
  readonly key: string
}

/** Puts the items into a draft, a request at a time, and then starts it: each step may be repeated. */
async function make({ operator }: Session, plan: Plan, options: Options, voice: Voice) {
  const { workspaceId, defaults } = plan
  const sender: BatchSender = { workspaceId, keyId: null, scope: workspaceId, lineIds: null }
  const items = plan.items.map(({ item }) => item)
  const { csv, name = basename(csv), duplicates, sendAt, key } = options
  const head = {
    name,
    defaults,
    duplicates,
    state: 'draft',
    idempotencyKey: key,
    ...(sendAt !== undefined && { sendAt }),
  }
  const first = { ...head, items: items.slice(0, itemsAtOnceMax) } as NewBatch
  const made = done(await createBatch(operator, sender, first, null))
  const { id } = made.batch
  const tell = progress()
  for (let offset = itemsAtOnceMax; offset < items.length; offset += itemsAtOnceMax) {
    await tell(`${offset} of ${items.length} items are in ${id}; broken off, the same command goes on`)
    done(await addItems(operator, sender, id, { offset, items: items.slice(offset, offset + itemsAtOnceMax) }))
  }
  const isDraft = made.batch.state === 'draft'
  const starts = options.start || sendAt !== undefined
  if (isDraft && starts) done(await moveBatch(operator, sender, id, 'start'))
  const batch = (await operator.read.batch(id)) ?? made.batch
  const details = await batchDetails(operator, batch)
  const title = isDraft
    ? 'Batch made'
    : 'This file was made a batch before, and nothing was changed: give --key for another one'
  await voice.tell('')
  return {
    data: wholeBatchView(batch, details),
    text: report(
      title,
      batchFields(batch, details),
      commandLine(`batch ${batch.state === 'draft' ? 'start' : 'show'} ${id}`),
    ),
  }
}
