import { lineName } from '../../../../base/direction.ts'
import { Choices } from '../../components/Choices.tsx'
import { labelled } from '../../components/fields.ts'
import { useLines } from './queries.ts'

/** The field `lineIds` of a form: all lines of the workspace, or some. */
export function LineChoices({
  form,
  words,
}: {
  form: {
    readonly text: (name: 'lineIds') => { readonly value: string; readonly error: string | undefined }
    readonly set: (next: { lineIds: string }) => void
  }
  words: Readonly<Record<'lines' | 'linesHint' | 'allLines', string>>
}) {
  const lines = useLines().data?.lines ?? []
  const { value, error } = form.text('lineIds')
  return (
    <Choices
      {...labelled(words, 'lines')}
      value={value}
      error={error}
      onChange={lineIds => form.set({ lineIds })}
      whole={words.allLines}
      choices={lines.map(line => ({ value: line.id, label: lineName(line) }))}
    />
  )
}
