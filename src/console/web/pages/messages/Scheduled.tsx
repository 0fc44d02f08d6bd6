import { Button, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { PageBoundary } from '../../app/PageBoundary.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { texts } from '../../texts/texts.ts'
import type { LaterProps } from './LaterForm.tsx'

const words = texts.messages

const LaterForm = lazy(async () => ({ default: (await import('./LaterForm.tsx')).LaterForm }))

/** {@link LaterForm}, which few need. */
export const Later = (props: LaterProps) => (
  <PageBoundary>
    <Suspense>
      <LaterForm {...props} />
    </Suspense>
  </PageBoundary>
)

/** What a member may do with a message that waits for its time. */
function useScheduled(messageId: string) {
  const { routes, change } = useWorkspaceRoutes()
  const of = routes.messages({ messageId })
  const cancel = {
    title: words.cancelTitle,
    confirmLabel: words.cancelConfirm,
    onConfirm: () => change(of.cancel.post()),
  }
  const move = (close: () => void) => (
    <Later onChoose={sendAt => change(of.reschedule.post({ sendAt }))} onDone={close} />
  )
  return { cancel, move }
}

/** In a conversation. @param props.of the message's first words */
export function ScheduledMenu({ messageId, of }: { messageId: string; of: string }) {
  const {
    cancel: { title, ...question },
    move,
  } = useScheduled(messageId)
  return (
    <ActionMenu
      of={of}
      actions={[
        { label: words.move, title: words.moveTitle, dialog: move },
        { label: words.cancel, title, dialog: { ...question, text: words.cancelHint }, isGrave: true },
      ]}
    />
  )
}

/** On the page of the message. */
export function ScheduledButtons({ messageId }: { messageId: string }) {
  const { cancel, move } = useScheduled(messageId)
  const [isMoving, setMoving] = useState(false)
  const close = () => setMoving(false)
  return (
    <>
      <Button variant="default" onClick={() => setMoving(true)}>
        {words.move}
      </Button>
      <FormDialog opened={isMoving} onClose={close} title={words.moveTitle}>
        {move(close)}
      </FormDialog>
      <ConfirmButton label={words.cancel} button={{ variant: 'default' }} {...cancel}>
        <Text size="sm">{words.cancelHint}</Text>
      </ConfirmButton>
    </>
  )
}
