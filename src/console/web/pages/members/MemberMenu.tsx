import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { renewSession } from '../../api/access.ts'
import { answerOf, api } from '../../api/client.ts'
import { useAccount, useWorkspace } from '../../app/session.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { texts } from '../../texts/texts.ts'
import type { Member } from './queries.ts'
import { RoleChoice } from './RoleChoice.tsx'

const words = texts.members

/** What can be done with a member. */
export function MemberMenu({ member }: { member: Member }) {
  const { id: workspaceId } = useWorkspace()
  const { user } = useAccount()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'role' | 'remove' | null>(null)
  const close = () => setOpen(null)
  async function remove() {
    await answerOf(api.workspaces({ workspaceId }).members({ userId: member.id }).delete())
    // Who has left the workspace sees it no more.
    if (member.id === user.id) await renewSession()
    else await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.common.actionsFor(member.email)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('role')}>{words.changeRole}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormDialog opened={open === 'role'} onClose={close} title={words.changeRoleOf(member.email)}>
        <RoleForm member={member} onDone={close} />
      </FormDialog>
      <ConfirmDialog
        opened={open === 'remove'}
        onClose={close}
        title={words.removeTitle(member.email)}
        confirmLabel={words.remove}
        onConfirm={remove}
      >
        <Text size="sm">{words.removeQuestion}</Text>
      </ConfirmDialog>
    </>
  )
}

function RoleForm({ member, onDone }: { member: Member; onDone: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const { user } = useAccount()
  const queries = useQueryClient()
  const [role, setRole] = useState(member.role)
  const change = useMutation({
    mutationFn: async () => {
      await answerOf(api.workspaces({ workspaceId }).members({ userId: member.id }).patch({ role }))
      if (member.id === user.id) await renewSession()
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
    },
    onSuccess: onDone,
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <Stack>
        <RoleChoice value={role} onChange={setRole} />
        {change.error && <ErrorView error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={role === member.role}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
