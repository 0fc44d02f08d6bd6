import { Alert, Anchor, Button, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { useLoss } from '../../components/losses.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'
import { useLines } from '../channels/queries.ts'
import { FirstMessage, type NewKey } from './FirstMessage.tsx'
import { isComplete, type Setup, stepsOf, useSetup } from './queries.ts'

const words = texts.firstRun

/** From an empty workspace to the first delivered message. */
export function FirstRunPage() {
  const { id } = useWorkspace()
  const setup = useSetup(true)
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <div aria-live="polite">
        {setup.data && isComplete(setup.data) && (
          <Alert color="teal" mb="md">
            {words.allDone}{' '}
            <Anchor component={Link} href={`/w/${id}`} size="sm" c="inherit" underline="always">
              {words.toOverview}
            </Anchor>
          </Alert>
        )}
      </div>
      <Loaded query={setup} waiting={<Placeholder h={320} isNamed={false} />}>
        {data => <Steps setup={data} />}
      </Loaded>
    </>
  )
}

function Steps({ setup }: { setup: Setup }) {
  const { id, name, can } = useWorkspace()
  const done = stepsOf(setup)
  const next = done.indexOf(false)
  const [key, setKey] = useState<NewKey | null>(null)
  useLoss(key !== null)
  const stateOf = (at: number) => (done[at] ? 'done' : at === next ? 'next' : 'later')
  const admin = (content: ReactNode) => (can('admin') ? content : <Text size="sm">{words.adminNeeded}</Text>)
  return (
    <Stack component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
      <Step number={1} state={stateOf(0)} title={`${words.workspace.title}: ${name}`} hint={words.workspace.hint} />
      <Step number={2} state={stateOf(1)} title={words.channel.title} hint={words.channel.hint}>
        {!setup.hasChannel && admin(<ConnectChoice setup={setup} />)}
        {setup.hasChannel && !setup.hasCallbacks && !setup.sandboxAvailable && (
          <Text size="sm">
            {words.channel.callbacks}{' '}
            <Anchor component={Link} href={`/w/${id}/channels`} size="sm" underline="always">
              {words.channel.open}
            </Anchor>
          </Text>
        )}
      </Step>
      <Step number={3} state={stateOf(2)} title={words.line.title} hint={words.line.hint}>
        {setup.hasChannel && !setup.hasActiveLine && (
          <Text size="sm">
            {words.line.add}{' '}
            <Anchor component={Link} href={`/w/${id}/channels`} size="sm" underline="always">
              {words.line.open}
            </Anchor>
          </Text>
        )}
      </Step>
      <Step number={4} state={stateOf(3)} title={words.templates.title} hint={words.templates.hint}>
        {setup.hasActiveLine && !setup.hasTemplate && <TemplatesLink />}
      </Step>
      <Step number={5} state={stateOf(4)} title={words.message.title} hint={words.message.hint}>
        {(key || (setup.hasActiveLine && !(setup.hasKey && setup.hasDelivered))) &&
          admin(<FirstMessage setup={setup} apiKey={key} onKey={setKey} />)}
      </Step>
    </Stack>
  )
}

function ConnectChoice({ setup }: { setup: Setup }) {
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const connect = useMutation({ mutationFn: () => change(routes.setup.sandbox.post()) })
  const account = (
    <Button
      component={Link}
      href={`/w/${workspaceId}/channels/connect`}
      variant={setup.sandboxAvailable ? 'default' : 'filled'}
    >
      {words.channel.connect}
    </Button>
  )
  if (!setup.sandboxAvailable) return <Group>{account}</Group>
  return (
    <Stack gap="xs">
      <Text size="sm">{words.channel.sandboxHint}</Text>
      <Group>
        <Button loading={connect.isPending} onClick={() => connect.mutate()}>
          {words.channel.sandbox}
        </Button>
        {account}
      </Group>
      {connect.error && <ErrorView error={connect.error} />}
    </Stack>
  )
}

function TemplatesLink() {
  const { id } = useWorkspace()
  const line = useLines().data?.lines.find(({ active }) => active)
  if (!line) return null
  return (
    <Anchor component={Link} href={`/w/${id}/lines/${line.id}/templates`} size="sm">
      {words.templates.open}
    </Anchor>
  )
}

const badges = {
  done: { tone: 'good', text: words.done },
  next: { tone: 'busy', text: words.next },
  later: { tone: 'quiet', text: words.later },
} as const

/** One step. What has to be done is shown until it is done. */
function Step(props: {
  number: number
  state: 'done' | 'next' | 'later'
  title: string
  hint: string
  children?: ReactNode
}) {
  const { number, state, title, hint, children } = props
  const { tone, text } = badges[state]
  return (
    <Paper component="li" withBorder p="md" {...(state === 'next' && { 'aria-current': 'step' as const })}>
      <Group align="flex-start" wrap="nowrap">
        <ThemeIcon radius="xl" size={32} variant={state === 'later' ? 'default' : 'filled'} aria-hidden>
          {state === 'done' ? <IconCheck size={18} /> : number}
        </ThemeIcon>
        <Stack gap={6} flex={1} miw={0}>
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h3">
              {title}
            </Title>
            <StatusBadge tone={tone}>{text}</StatusBadge>
          </Group>
          <Hint>{hint}</Hint>
          {children}
        </Stack>
      </Group>
    </Paper>
  )
}
