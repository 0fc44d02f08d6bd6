import { Alert, Anchor, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
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
import { newParameter } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { TestSend } from '../templates/TestSend.tsx'
import { FirstKey, type KeyWithSecret } from './FirstKey.tsx'
import { isComplete, progressOf, type Setup, type StepName, sandboxPhone, stepsOf, useSetup } from './queries.ts'

const words = texts.firstRun

/** From an empty workspace to the first delivered message. */
export function FirstRunPage() {
  const { id } = useWorkspace()
  const setup = useSetup(true)
  return (
    <>
      <PageHeader title={words.title} description={!(setup.data && isComplete(setup.data)) && words.description} />
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
  const { id, can } = useWorkspace()
  const steps = stepsOf(setup)
  const { next } = progressOf(setup)
  const [key, setKey] = useState<KeyWithSecret | null>(null)
  useLoss(key !== null)
  // What becomes of the message is shown where it was sent: also after it was delivered, however soon.
  const [isFollowed] = useState(!setup.hasDelivered)
  // In a sentence its colour alone does not tell a link.
  const open = (href: string, label: string, underline?: 'always') => (
    <Anchor component={Link} href={`/w/${id}${href}`} size="sm" underline={underline}>
      {label}
    </Anchor>
  )
  const needs = (role: 'member' | 'admin', content: ReactNode) =>
    can(role) ? content : <Text size="sm">{words.needed[role]}</Text>
  const isConnected = setup.hasChannel && setup.hasActiveLine
  /** What there is to do in each; nothing where it is done, or another one comes first. */
  const contents: Readonly<Record<StepName, ReactNode>> = {
    channel: setup.hasChannel
      ? !setup.hasCallbacks &&
        !setup.sandboxAvailable && (
          <Text size="sm">
            {words.channel.callbacks} {open(...places.channel, 'always')}
          </Text>
        )
      : needs('admin', <ConnectChoice setup={setup} />),
    line: setup.hasChannel && !setup.hasActiveLine && (
      <Text size="sm">
        {words.line.add} {open(...places.line, 'always')}
      </Text>
    ),
    templates: setup.hasActiveLine && !setup.hasTemplate && open(...places.templates),
    message: isConnected && (isFollowed || !setup.hasDelivered) && needs('member', <FirstMessage setup={setup} />),
    key:
      (key || (isConnected && !setup.hasKey)) && needs('admin', <FirstKey setup={setup} apiKey={key} onKey={setKey} />),
    webhook:
      isConnected &&
      !setup.hasWebhook &&
      needs(
        'admin',
        <Text size="sm">
          {words.webhook.own} {open(`/webhooks?${newParameter}=open`, words.webhook.add, 'always')}
        </Text>,
      ),
  }
  return (
    <Paper component="ol" withBorder px="md" className="plain-list ruled-list">
      {steps.map(({ name, isDone }, at) => (
        <Step
          key={name}
          number={at + 1}
          state={isDone ? 'done' : name === next ? 'next' : 'later'}
          title={words[name].title}
          hint={words[name].hint}
          way={open(...places[name])}
        >
          {contents[name]}
        </Step>
      ))}
    </Paper>
  )
}

/** Where a step that is done leads on. */
const places: Readonly<Record<StepName, readonly [href: string, label: string]>> = {
  channel: ['/channels', words.channel.open],
  line: ['/channels', words.line.open],
  templates: ['/templates', words.templates.open],
  message: ['/messages', words.message.open],
  key: ['/api-keys', words.key.open],
  webhook: ['/webhooks', words.webhook.open],
}

/** An approved template with its examples: no program is needed to see a message arrive. */
function FirstMessage({ setup: { firstTest, sandboxAvailable } }: { setup: Setup }) {
  if (firstTest === null) return <Text size="sm">{words.message.notApproved}</Text>
  const { templateId, phoneNumberId, values } = firstTest
  return (
    <TestSend
      template={{ id: templateId, status: 'APPROVED' }}
      phoneNumberId={phoneNumberId}
      fields={values}
      phone={sandboxAvailable ? sandboxPhone : ''}
    />
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

const badges = {
  next: { tone: 'busy', children: words.next },
  later: { tone: 'quiet', children: words.later },
} as const

/** One step. What it is for and what has to be done is shown until it is done. @param props.way where it leads then */
function Step(props: {
  number: number
  state: 'done' | 'next' | 'later'
  title: string
  hint: string
  way: ReactNode
  children?: ReactNode
}) {
  const { number, state, title, hint, way, children } = props
  const isDone = state === 'done'
  const sign = isDone ? { role: 'img', 'aria-label': words.done } : { 'aria-hidden': true }
  return (
    <Group
      component="li"
      align={isDone && !children ? 'center' : 'flex-start'}
      gap="sm"
      wrap="nowrap"
      py="sm"
      {...(state === 'next' && { 'aria-current': 'step' as const })}
    >
      <Box className="round" w={32} h={32} data-filled={state !== 'later' || undefined} {...sign}>
        {isDone ? <IconCheck size={18} /> : number}
      </Box>
      <Stack gap={6} flex={1} miw={0}>
        <Group align={isDone ? 'baseline' : 'center'} gap="xs" mih={32} style={{ alignContent: 'center' }}>
          {/* Where a step leads stands near its name. */}
          <Title order={2} size="h3" flex={isDone ? { base: 1, sm: '0 0 12rem' } : 1}>
            {title}
          </Title>
          {isDone ? way : <StatusBadge {...badges[state]} />}
        </Group>
        {!isDone && <Hint>{hint}</Hint>}
        {children}
      </Stack>
    </Group>
  )
}
