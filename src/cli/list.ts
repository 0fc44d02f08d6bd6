import type { Command } from 'commander'
import type { UpstreamUpdate } from '../../db/contract/updates.ts'
import { addVerb, type Verb } from './command.ts'
import type { Inputs, Values } from './inputs.ts'
import { type TableColumns, table, withIsoTimes } from './output.ts'
import type { Session, Workbench } from './session.ts'

/** A command that only reads. `Thing` is what `read` returns. */
interface Reading<Thing, Given extends Inputs> extends Omit<Verb<Given>, 'run'> {
  read(session: Session, values: Values<Given>): Promise<Thing>
  /** The answer of `--json`. */
  view(thing: NoInfer<Thing>): unknown
  /** The parts of the text, with an empty line between them. */
  parts(thing: NoInfer<Thing>, values: Values<Given>): readonly string[]
}

/** Adds a command that only reads, as `show` does. */
export function addReading<Thing, Given extends Inputs>(
  noun: Command,
  { withStore }: Pick<Workbench, 'withStore'>,
  { read, view, parts, ...verb }: Reading<Thing, Given>,
): void {
  addVerb(noun, {
    ...verb,
    run: values =>
      withStore(async session => {
        const thing = await read(session, values)
        return { data: view(thing), text: parts(thing, values).join('\n\n') }
      }),
  })
}

/** How the records of a noun are listed. `Row` is what `read` returns. */
interface List<Row extends object, Given extends Inputs> extends Omit<Verb<Given>, 'run' | 'name'> {
  /** `list` unless it says otherwise. */
  readonly name?: string
  read(session: Session, values: Values<Given>): Promise<readonly Row[]>
  /** A row of `--json`. */
  view(row: NoInfer<Row>): object
  readonly columns: TableColumns<Row>
  /** The text for an empty list, with what to do next. */
  whenEmpty(values: Values<Given>): string
  /** The upstream's updates about a row. */
  updates?(session: Session, row: NoInfer<Row>): Promise<readonly UpstreamUpdate[]>
  /** Advice below the table. */
  hint?(rows: readonly NoInfer<Row>[]): string | undefined
}

/** Adds the command that lists the things of a noun. */
export function addList<Row extends object, Given extends Inputs>(
  noun: Command,
  workbench: Pick<Workbench, 'withStore'>,
  { name = 'list', read, view, columns, whenEmpty, updates, hint, ...verb }: List<Row, Given>,
): void {
  addReading(noun, workbench, {
    name,
    ...verb,
    async read(session, values) {
      const rows = await read(session, values)
      return { rows, told: updates && (await Promise.all(rows.map(row => updates(session, row)))) }
    },
    view: ({ rows, told }) =>
      rows.map((row, at) => ({ ...view(row), ...(told && { updates: (told[at] ?? []).map(updateView) }) })),
    parts({ rows, told }, values) {
      const advice = hint?.(rows)
      return [
        table(columns, rows, whenEmpty(values)),
        ...updateTexts(told?.flat() ?? []),
        ...(advice === undefined ? [] : [advice]),
      ]
    },
  })
}

export const updateView = ({ kind, at, detail }: UpstreamUpdate) => withIsoTimes({ kind, at, detail })

/** The upstream's updates, as text; nothing when there are none. */
export const updateTexts = (updates: readonly UpstreamUpdate[]): string[] =>
  updates.length === 0
    ? []
    : [table({ 'update at (UTC)': 'at', what: 'kind', details: ({ detail }) => JSON.stringify(detail) }, updates)]
