import { TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { renewSession } from '../api/access.ts'
import { answerOf, api } from '../api/client.ts'
import { Form, useForm } from '../components/Form.tsx'
import { Hint } from '../components/Hint.tsx'
import { texts } from '../texts/texts.ts'

const words = texts.shell
const nameLengthMax = 100

/** The form for another workspace, which then opens with its first steps. */
export function NewWorkspace({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [, navigate] = useLocation()
  // Kept, so that a second attempt after a lost connection makes no second workspace.
  const made = useRef<{ readonly id: string } | null>(null)
  const form = useForm({
    initial: { name: '' },
    async send({ name }) {
      made.current ??= await answerOf(api.workspaces.post({ name: name.trim() }))
      // The page knows the user's workspaces from the session.
      await renewSession()
      return made.current
    },
    onSuccess({ id }) {
      navigate(`/w/${id}/setup`)
      onDone()
    },
  })
  return (
    <Form form={form} submit={words.createWorkspace} onCancel={onCancel}>
      <Hint>{words.newWorkspaceHint}</Hint>
      <TextInput
        label={words.workspaceName}
        required
        data-autofocus
        autoComplete="off"
        maxLength={nameLengthMax}
        {...form.text('name')}
      />
    </Form>
  )
}
