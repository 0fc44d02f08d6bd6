import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { answerOf } from '../../api/client.ts'
import type { Role } from '../../app/roles.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { Hint } from '../../components/Hint.tsx'
import { useLoss } from '../../components/losses.ts'
import { texts } from '../../texts/texts.ts'
import { RoleChoice } from './RoleChoice.tsx'

const words = texts.members

/** A form, and then the link to share, shown only once. */
export function InviteForm({ onDone }: { onDone: () => void }) {
  const { routes, refresh } = useWorkspaceRoutes()
  const form = useForm({
    initial: { email: '', role: 'member' as Role },
    send: given => answerOf(routes.invitations.post(given)),
    onSuccess: () => void refresh('invitations'),
  })
  const { data: invited } = form.sent
  useLoss(invited !== undefined)
  if (invited) {
    return (
      <Stack>
        <Alert color="yellow" role="status" title={words.invited}>
          {words.invitedHint(invited.email)}
        </Alert>
        <CodeBlock text={invited.link} what={words.link} />
        {invited.note !== null && <Text size="sm">{invited.note}</Text>}
        <Group justify="flex-end">
          <Button onClick={onDone}>{words.done}</Button>
        </Group>
      </Stack>
    )
  }
  return (
    <Form form={form} submit={words.invite} onCancel={onDone}>
      <Hint>{words.inviteHint}</Hint>
      <TextInput label={words.email} type="email" required data-autofocus autoComplete="off" {...form.text('email')} />
      <RoleChoice value={form.fields.role} onChange={role => form.set({ role })} />
    </Form>
  )
}
