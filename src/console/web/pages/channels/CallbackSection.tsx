import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CopyId } from '../../components/CopyId.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { channel as channelWords } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'
import { CallbackBadge } from './CallbackBadge.tsx'
import type { Channel } from './queries.ts'

const words = channelWords
const hints = texts.channels.callbackHints

/** Whether callbacks come, and what the platform needs to send them. */
export function CallbackSection({ channel }: { channel: Channel }) {
  const { can } = useWorkspace()
  const { routes, change } = useWorkspaceRoutes()
  const { id: channelId, callbacks } = channel
  const subscribe = useMutation({
    mutationFn: () => change(routes.channels({ channelId })['callback-subscription'].post()),
  })
  const hint = callbacks.state === 'refused' ? hints[callbacks.refusal ?? 'wrongSignature'] : null
  return (
    <Section
      title={words.callbackTitle}
      anchor="callbacks"
      hint={can('admin') ? words.callbackHint : undefined}
      actions={<CallbackBadge callbacks={callbacks} />}
    >
      <Stack gap="sm">
        {callbacks.state === 'none' && <Text size="sm">{hints.none}</Text>}
        {hint && (
          <Text size="sm" c="var(--mantine-color-error)">
            {hint}
          </Text>
        )}
        {callbacks.acceptedAt && (
          <Row label={hints.lastGood}>
            <Time at={callbacks.acceptedAt} />
          </Row>
        )}
        {callbacks.refusedAt && (
          <Row label={hints.lastRefused}>
            <Time at={callbacks.refusedAt} />
          </Row>
        )}
        {channel.callbackUrl === null ? (
          <Text size="sm">{words.noPublicUrl}</Text>
        ) : (
          <Row label={words.callbackUrl}>
            <CopyId id={channel.callbackUrl} what={words.callbackUrl} />
          </Row>
        )}
        {can('admin') && <VerifyToken channelId={channelId} />}
        {subscribe.data && (
          <Alert color="teal" role="status">
            {words.subscribed(subscribe.data.callbackUrl)}{' '}
            {subscribe.data.cutOff.length > 0 && words.cutOff(subscribe.data.cutOff.join(', '))}
          </Alert>
        )}
        {subscribe.error && <ErrorView error={subscribe.error} />}
        {can('admin') && (
          <Group>
            <Button
              variant={callbacks.state === 'accepted' ? 'default' : 'filled'}
              loading={subscribe.isPending}
              onClick={() => subscribe.mutate()}
            >
              {words.subscribe}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" miw={120}>
        {label}
      </Text>
      <Text size="sm" component="span" className="breakable">
        {children}
      </Text>
    </Group>
  )
}

/** Read only on request: it proves that a callback address is ours. */
function VerifyToken({ channelId }: { channelId: string }) {
  const [isShown, setShown] = useState(false)
  const setup = useWorkspaceQuery(
    ['callback-setup', channelId],
    routes => routes.channels({ channelId })['callback-setup'].get(),
    { enabled: isShown },
  )
  if (setup.data) {
    return (
      <Row label={words.verifyToken}>
        <CopyId id={setup.data.verifyToken} what={words.verifyToken} />
      </Row>
    )
  }
  return (
    <Row label={words.verifyToken}>
      <Button size="compact-sm" variant="default" loading={setup.isFetching} onClick={() => setShown(true)}>
        {words.showVerifyToken}
      </Button>
      {setup.error && <ErrorView error={setup.error} />}
    </Row>
  )
}
