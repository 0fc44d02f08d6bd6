import { Button, Group, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ErrorView } from '../../components/ErrorView.tsx'
import { texts } from '../../texts/texts.ts'
import { searchWith } from './hitQueries.ts'

const words = texts.conversations

/** A conversation that was done a moment ago, and in whose place the next one stands. */
export interface FinishedOne {
  readonly contactId: string
  readonly name: string
  /** Who had it: done, it is nobody's. */
  readonly takenBy: string | null
}

const shownMs = 10_000

/** Says which conversation was done, and opens it again for who did not mean it. */
export function FinishedNote({ one, onClose }: { one: FinishedOne; onClose: () => void }) {
  const { contactId, name, takenBy } = one
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const [, goTo] = useLocation()
  const undoing = useMutation({
    async mutationFn() {
      const { state, taker } = routes.contacts({ contactId }).conversation
      await change(state.post({ doneUpTo: null }), 'conversations')
      if (takenBy !== null) await change(taker.post({ takenBy, insteadOf: null }), 'conversations')
      goTo(`/w/${workspaceId}/conversations/${contactId}${searchWith(window.location.search)}`)
      onClose()
    },
  })
  // Who undoes it sees what became of that.
  const isUntouched = undoing.isIdle
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as long as nothing is undone
  useEffect(() => {
    if (!isUntouched) return
    const timer = setTimeout(onClose, shownMs)
    return () => clearTimeout(timer)
  }, [isUntouched])
  return (
    <Paper withBorder shadow="md" p="xs" pl="md" role="status" className="finished-note">
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" className="breakable">
          {words.finished(name)}
        </Text>
        <Button size="xs" variant="light" loading={undoing.isPending} onClick={() => undoing.mutate()}>
          {words.undo}
        </Button>
      </Group>
      {undoing.error && <ErrorView error={undoing.error} />}
    </Paper>
  )
}
