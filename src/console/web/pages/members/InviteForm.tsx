import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Role } from '../../app/roles.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { useLoss } from '../../components/losses.ts'
import { texts } from '../../texts/texts.ts'
import { RoleChoice } from './RoleChoice.tsx'

const words = texts.members

/** A form, and then the link to hand over, shown this once. */
export function InviteForm({ onDone }: { onDone: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const invite = useMutation({
    mutationFn: async () => {
      const invited = await answerOf(api.workspaces({ workspaceId }).invitations.post({ email, role }))
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId, 'invitations'] })
      return invited
    },
  })
  useLoss(invite.data !== undefined)
  if (invite.data) {
    return (
      <Stack>
        <Alert color="yellow" role="status" title={words.invited}>
          {words.invitedHint(invite.data.email)}
        </Alert>
        <CodeBlock text={invite.data.link} what={words.link} />
        {invite.data.note !== null && <Text size="sm">{invite.data.note}</Text>}
        <Group justify="flex-end">
          <Button onClick={onDone}>{words.done}</Button>
        </Group>
      </Stack>
    )
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        invite.mutate()
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {words.inviteHint}
        </Text>
        <TextInput
          label={words.email}
          type="email"
          required
          data-autofocus
          autoComplete="off"
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
        />
        <RoleChoice value={role} onChange={setRole} />
        {invite.error && <ErrorView error={invite.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {words.invite}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
