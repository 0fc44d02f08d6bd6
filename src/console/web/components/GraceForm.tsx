import { NativeSelect, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWorkspaceRoutes } from '../app/workspaceData.ts'
import { texts } from '../texts/texts.ts'
import { Form, useForm } from './Form.tsx'
import { choicesOf } from './fields.ts'

const graceChoices = choicesOf(texts.common.graceChoices)

/**
 * Asks how long a former secret still works, makes a new one, and shows that.
 * @param props.words without `grace`, the former one ends at once
 */
export function GraceForm<Answer>(props: {
  words: Readonly<Record<'rotate' | 'rotateHint', string>> & { readonly grace?: string }
  rotate: (body: { graceHours: number }) => Promise<Answer>
  shown: (answer: Answer) => ReactNode
  onDone: () => void
}) {
  const { words, rotate, shown, onDone } = props
  const { refresh } = useWorkspaceRoutes()
  const form = useForm({
    initial: { grace: words.grace === undefined ? '0' : '24' },
    send: ({ grace }) => rotate({ graceHours: Number(grace) }),
    onSuccess: () => void refresh(),
  })
  if (form.sent.data) return shown(form.sent.data)
  return (
    <Form form={form} submit={words.rotate} onCancel={onDone}>
      <Text size="sm">{words.rotateHint}</Text>
      {words.grace && <NativeSelect label={words.grace} data={graceChoices} data-autofocus {...form.text('grace')} />}
    </Form>
  )
}
