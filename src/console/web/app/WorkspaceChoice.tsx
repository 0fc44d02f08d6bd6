import { Button, NativeSelect, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { FormDialog } from '../components/FormDialog.tsx'
import { texts } from '../texts/texts.ts'
import { NewWorkspace } from './NewWorkspace.tsx'
import { useAccount } from './session.tsx'

const words = texts.shell

/** Switches to another workspace; owners can also create one. @param onNew a workspace was made */
export function WorkspaceChoice({ workspaceId, onNew }: { workspaceId: string; onNew: () => void }) {
  const { workspaces } = useAccount()
  const [, navigate] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <Stack gap={4}>
      <NativeSelect
        aria-label={words.workspace}
        value={workspaceId}
        data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={event => navigate(`/w/${event.currentTarget.value}`)}
      />
      {workspaces.some(({ role }) => role === 'owner') && (
        <Button
          variant="subtle"
          size="compact-sm"
          justify="flex-start"
          leftSection={<IconPlus size={14} stroke={1.6} />}
          onClick={() => setIsOpen(true)}
        >
          {words.newWorkspace}
        </Button>
      )}
      <FormDialog opened={isOpen} onClose={close} title={words.newWorkspace}>
        <NewWorkspace
          onCancel={close}
          onDone={() => {
            close()
            onNew()
          }}
        />
      </FormDialog>
    </Stack>
  )
}
