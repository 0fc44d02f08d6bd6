import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { texts } from '../../texts/texts.ts'
import { LimitForm } from './LimitForm.tsx'
import type { ApiKey } from './queries.ts'
import { RotateForm } from './RotateForm.tsx'

const words = texts.apiKeys

/** What can be done with a key that works. */
export function KeyMenu({ apiKey: key }: { apiKey: ApiKey }) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'rotate' | 'limits' | 'revoke' | null>(null)
  const close = () => setOpen(null)
  const name = key.label ?? key.apiKey
  async function revoke() {
    await answerOf(api.workspaces({ workspaceId })['api-keys']({ keyId: key.apiKey }).revoke.post())
    await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.common.actionsFor(name)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('rotate')}>{words.rotate}</Menu.Item>
          <Menu.Item onClick={() => setOpen('limits')}>{words.limits}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setOpen('revoke')}>
            {words.revoke}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormDialog opened={open === 'rotate'} onClose={close} title={words.rotateTitle(name)}>
        <RotateForm keyId={key.apiKey} onDone={close} />
      </FormDialog>
      <FormDialog opened={open === 'limits'} onClose={close} title={words.limits}>
        <LimitForm apiKey={key} onDone={close} />
      </FormDialog>
      <ConfirmDialog
        opened={open === 'revoke'}
        onClose={close}
        title={words.revokeTitle(name)}
        confirmLabel={words.revoke}
        onConfirm={revoke}
      >
        <Text size="sm">{words.revokeQuestion}</Text>
      </ConfirmDialog>
    </>
  )
}
