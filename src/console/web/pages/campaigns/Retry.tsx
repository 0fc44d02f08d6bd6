import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { whole } from '../../components/numbers.ts'
import { campaigns as words } from '../../texts/en/campaigns.ts'

/** Sends again what failed for a reason that can pass, after it has said how many these are. */
export function Retry({ batchId }: { batchId: string }) {
  const { routes, change } = useWorkspaceRoutes()
  const [isOpen, setOpen] = useState(false)
  const retry = (dryRun: boolean) => routes.campaigns({ batchId }).retry.post({ dryRun })
  const looked = useWorkspaceQuery(['campaign-retry', batchId], () => retry(true), { enabled: isOpen, staleTime: 0 })
  const { data } = looked
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.retry}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={words.retryTitle}
        confirmLabel={words.retryConfirm}
        onConfirm={() => change(retry(false), 'campaigns', 'campaign-retry')}
        isReady={(data?.retried ?? 0) > 0}
        isHarmless
      >
        <Loaded query={looked}>
          {({ retried, leftOut }) => (
            <Stack gap="xs" role="status">
              <Text size="sm">{retried === 0 ? words.retryNone : words.retryOffer(retried, whole(retried))}</Text>
              {leftOut > 0 && <Text size="sm">{words.retryLeft(whole(leftOut))}</Text>}
            </Stack>
          )}
        </Loaded>
      </ConfirmDialog>
    </>
  )
}
