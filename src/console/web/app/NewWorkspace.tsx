import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { renewSession } from '../api/access.ts'
import { answerOf, api } from '../api/client.ts'
import { ErrorView } from '../components/ErrorView.tsx'
import { texts } from '../texts/texts.ts'

const words = texts.shell
const nameLengthMax = 100

/** The form of another workspace, which opens at its first steps. */
export function NewWorkspace({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  // Kept, so that a second attempt after a lost connection makes no second workspace.
  const made = useRef<{ readonly id: string } | null>(null)
  const create = useMutation({
    mutationFn: async () => {
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
    <form
      onSubmit={event => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {words.newWorkspaceHint}
        </Text>
        <TextInput
          label={words.workspaceName}
          required
          data-autofocus
          autoComplete="off"
          maxLength={nameLengthMax}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        {create.error && <ErrorView error={create.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {words.createWorkspace}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
