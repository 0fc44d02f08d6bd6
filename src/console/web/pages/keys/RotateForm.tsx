import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { texts } from '../../texts/texts.ts'
import { KeySecret } from './KeySecret.tsx'

const words = texts.apiKeys
const choices = Object.entries(words.graceChoices).map(([value, label]) => ({ value, label }))

/** Chooses how long the old key still works, and then shows the successor with its secret. */
export function RotateForm({ keyId, onDone }: { keyId: string; onDone: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const [grace, setGrace] = useState('24')
  const rotate = useMutation({
    mutationFn: async () => {
      const route = api.workspaces({ workspaceId })['api-keys']({ keyId }).rotate
      const { key } = await answerOf(route.post({ graceHours: Number(grace) }))
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
      return key
    },
  })
  if (rotate.data) return <KeySecret {...rotate.data} onDone={onDone} />
  return (
    <Stack>
      <Text size="sm">{words.rotateHint}</Text>
      <NativeSelect
        label={words.grace}
        data={choices}
        value={grace}
        onChange={event => setGrace(event.currentTarget.value)}
        data-autofocus
      />
      {rotate.error && <ErrorView error={rotate.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {texts.common.cancel}
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          {words.rotate}
        </Button>
      </Group>
    </Stack>
  )
}
