import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { BodyDraft } from '../../../../templates/authoring/draft.ts'
import { withVariable } from '../../../../templates/authoring/parts.ts'
import { variablesIn } from '../../../../templates/authoring/texts.ts'
import { labelled } from '../../components/fields.ts'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { type Editing, fieldOf, textsOf } from './draftState.ts'

const words = templateWords.editor

/** How long a text is, and how long it may be. */
export function CharCounter({ text, max }: { text: string; max: number }) {
  const count = [...text].length
  return (
    <Text span size="xs" c={count > max ? 'red' : 'dimmed'}>
      {words.counter(count, max)}
    </Text>
  )
}

/** What is wrong with something that is no field, such as all buttons together. */
export const Problem = ({ of }: { of: string | undefined }) =>
  of && (
    <Text size="sm" c="red" role="alert">
      {of}
    </Text>
  )

/** A text with variables, and an example for each of them. */
export function BodyFields(props: Editing<BodyDraft> & { max: number }) {
  const { state, part: body, path, max, onChange } = props
  const variables = variablesIn(body.text)
  return (
    <Stack gap="sm">
      <Textarea {...labelled(words, 'body')} autosize minRows={3} maxRows={14} required {...textsOf(props)('text')} />
      <Group justify="space-between">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ ...body, text: withVariable(body.text, state.draft.parameterFormat) })}
        >
          {words.addVariable}
        </Button>
        <CharCounter text={body.text} max={max} />
      </Group>
      {variables.map(key => (
        <TextInput
          key={key}
          label={words.exampleFor(key)}
          description={key === variables[0] ? words.exampleHint : undefined}
          required
          value={body.examples[key] ?? ''}
          onChange={event => onChange({ ...body, examples: { ...body.examples, [key]: event.currentTarget.value } })}
          {...fieldOf(state, `${path}/examples/${key}`)}
        />
      ))}
    </Stack>
  )
}
