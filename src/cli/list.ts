import type { Command } from 'commander'
import type { UpstreamUpdate } from '../../db/updates.ts'
import { addVerb } from './command.ts'
import type { Inputs, Values } from './inputs.ts'
import { type Columns, table } from './output.ts'
import type { Session, Workbench } from './session.ts'
import { updateTexts, updateView } from './updates.ts'

/** How the things of a noun are listed. `Row` is what `read` reads. */
interface List<Row extends object, Given extends Inputs> {
  /** `list` unless it says otherwise. */
  readonly name?: string
  readonly summary: string
  readonly example: string
  readonly inputs: Given
  read(session: Session, values: Values<Given>): Promise<readonly Row[]>
  /** A row of `--json`. */
  view(row: NoInfer<Row>): object
  readonly columns: Columns<Row>
  /** What to say, and to do, when there is nothing yet. */
  whenEmpty(values: Values<Given>): string
  /** What the upstream has said of a row. */
  updates?(session: Session, row: NoInfer<Row>): Promise<readonly UpstreamUpdate[]>
  /** Advice below the table. */
  hint?(rows: readonly NoInfer<Row>[]): string | undefined
}

/** Adds the command that lists the things of a noun. */
export function addList<Row extends object, Given extends Inputs>(
  noun: Command,
  { withStore }: Pick<Workbench, 'withStore'>,
  { name = 'list', read, view, columns, whenEmpty, updates, hint, ...words }: List<Row, Given>,
): void {
  addVerb(noun, {
    name,
    ...words,
    run: values =>
      withStore(async session => {
        const rows = await read(session, values)
        const told = updates && (await Promise.all(rows.map(row => updates(session, row))))
        const advice = hint?.(rows)
        return {
          data: rows.map((row, at) => ({ ...view(row), ...(told && { updates: (told[at] ?? []).map(updateView) }) })),
          text: [
            table(columns, rows, whenEmpty(values)),
            ...updateTexts(told?.flat() ?? []),
            ...(advice === undefined ? [] : [advice]),
          ].join('\n\n'),
        }
      }),
  })
}
