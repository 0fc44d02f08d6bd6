import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CopyId } from '../../components/CopyButton.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { Warning } from '../../components/Warning.tsx'
import { channel as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'
import { CallbackBadge } from './ChannelHealth.tsx'
import type { ListedChannel } from './queries.ts'

const hints = texts.channels.callbackHints

/** Whether callbacks come, and what the platform needs to send them. */
export function CallbackSection({ channel }: { channel: ListedChannel }) {
  const { can } = useWorkspace()
  const { routes, change } = useWorkspaceRoutes()
  const { id: channelId, callbacks } = channel
  const subscribe = useMutation({
    mutationFn: () => change(routes.channels({ channelId })['callback-subscription'].post()),
  })
  const { callbackUrl: url } = channel
  const facts: readonly (readonly [string, ReactNode])[] = [
    [hints.lastGood, callbacks.acceptedAt && <Time key="good" at={callbacks.acceptedAt} />],
    [hints.lastRefused, callbacks.refusedAt && <Time key="refused" at={callbacks.refusedAt} />],
    [words.callbackUrl, url && <CopyId key="url" id={url} what={words.callbackUrl} />],
    [words.verifyToken, can('admin') && <VerifyToken key="token" channelId={channelId} />],
  ]
  const hint = callbacks.state === 'refused' ? hints[callbacks.refusal ?? 'wrongSignature'] : null
  return (
    <Section
      title={words.callbackTitle}
      anchor="callbacks"
      hint={can('admin') && callbacks.state !== 'accepted' && words.callbackHint}
      actions={<CallbackBadge callbacks={callbacks} />}
    >
      <Stack gap="sm">
        {callbacks.state === 'none' && <Text size="sm">{hints.none}</Text>}
        {hint && (
          <Text size="sm" c="var(--mantine-color-error)">
            {hint}
          </Text>
        )}
        <Facts facts={facts.filter(([, value]) => value)} />
        {subscribe.data && (
          <Alert color="teal" role="status">
            {words.subscribed(subscribe.data.callbackUrl)}{' '}
            {subscribe.data.cutOff.length > 0 && words.cutOff(subscribe.data.cutOff.join(', '))}
          </Alert>
        )}
        {subscribe.error && <ErrorView error={subscribe.error} />}
        {url === null && callbacks.state !== 'accepted' && (
          <Warning title={words.noPublicUrl}>{words.noPublicUrlHint}</Warning>
        )}
        {can('admin') && url !== null && (
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

/** Read only on request: it proves that a callback address is ours. */
function VerifyToken({ channelId }: { channelId: string }) {
  const [isShown, setShown] = useState(false)
  const setup = useWorkspaceQuery(
    ['callback-setup', channelId],
    routes => routes.channels({ channelId })['callback-setup'].get(),
    { enabled: isShown },
  )
  if (setup.data) return <CopyId id={setup.data.verifyToken} what={words.verifyToken} />
  return (
    <>
      <Button size="xs" variant="default" loading={setup.isFetching} onClick={() => setShown(true)}>
        {words.showVerifyToken}
      </Button>
      {setup.error && <ErrorView error={setup.error} />}
    </>
  )
}
