import { Box, NativeSelect, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { nameLengthMax } from '../../../base/names.ts'
import { renewSession } from '../api/access.ts'
import { answerOf, api } from '../api/client.ts'
import { Form, useForm } from '../components/Form.tsx'
import { FormDialog } from '../components/FormDialog.tsx'
import { Hint } from '../components/Hint.tsx'
import { texts } from '../texts/texts.ts'
import { useAccount } from './session.tsx'

const words = texts.shell

/** Switches to another workspace; owners can also create one. @param onNew a workspace was made */
export function WorkspaceChoice({ workspaceId, onNew }: { workspaceId: string; onNew: () => void }) {
  const { workspaces } = useAccount()
  const [, navigate] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const another = workspaces.some(({ role }) => role === 'owner')
    ? [{ value: '', label: `+ ${words.newWorkspace}…` }]
    : []
  return (
    <Box pos="relative">
      <bdi className="workspace-name" aria-hidden>
        {workspaces.find(({ id }) => id === workspaceId)?.name}
      </bdi>
      <NativeSelect
        aria-label={words.workspace}
        value={workspaceId}
        data={[...workspaces.map(({ id, name }) => ({ value: id, label: name })), ...another]}
        onChange={({ currentTarget: { value } }) => (value === '' ? setIsOpen(true) : navigate(`/w/${value}`))}
      />
      <FormDialog opened={isOpen} onClose={close} title={words.newWorkspace}>
        <NewWorkspace
          onCancel={close}
          onDone={() => {
            close()
            onNew()
          }}
        />
      </FormDialog>
    </Box>
  )
}

/** The form of another workspace, which opens at its first steps. */
function NewWorkspace({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
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
