import { Anchor, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { Warning } from '../../components/Warning.tsx'
import { WithCode } from '../../components/WithCode.tsx'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { type RequestDetails, useRequest } from './queries.ts'
import { RequestStatus } from './RequestsPage.tsx'

const words = texts.requests

type Refusal = NonNullable<RequestDetails['refusal']>
type Problem = Refusal['issues'][number]

/** One call of an API key: how it was answered, and what was wrong. */
export function RequestPage() {
  const { id: workspaceId } = useWorkspace()
  const { requestId = '' } = useParams()
  const request = useRequest(requestId)
  const back = { to: `/w/${workspaceId}/requests`, label: words.title }
  return (
    <Loaded query={request} heading={<PageHeader title={words.one} back={back} />} waiting={<Placeholder h={320} />}>
      {data => (
        <>
          <PageHeader
            title={data.call}
            description={
              <Group gap="xs">
                <RequestStatus status={data.status} />
                <Text span size="sm">
                  <Time at={data.at} precision="relative" />
                </Text>
              </Group>
            }
            back={back}
          />
          {data.refusal && <Why request={data} refusal={data.refusal} />}
          {data.refusal && data.refusal.issues.length > 0 && <Problems refusal={data.refusal} />}
          <RequestFacts workspaceId={workspaceId} request={data} />
        </>
      )}
    </Loaded>
  )
}

/** What was refused, as the caller was told, and what to do. */
function Why({ request: { status, reason }, refusal }: { request: RequestDetails; refusal: Refusal }) {
  const { message, meaning, remedy, heading, code, issues } = refusal
  return (
    <Warning color={status < 500 ? 'yellow' : 'red'} mb="lg" icon={<IconAlertTriangle />} title={words.refusedTitle}>
      <Stack gap={6}>
        {/* Of the answer's field that names the problems nothing is seen here: they follow below. */}
        <Text size="sm">
          {issues.length > 0 && reason === 'VALIDATION_ERROR' ? words.malformed : translated(meaning)}
        </Text>
        {remedy !== null && (
          <Text size="sm">
            <strong>{words.remedy}:</strong> {translated(remedy)}
          </Text>
        )}
        <Text size="sm" c="dimmed" className="breakable">
          {reason}
          {code !== null && ` ${code}`}
          {/* The problems follow below. */}
          {issues.length === 0 && `: ${translated(message)}`}
        </Text>
        <Anchor href={`/docs/errors#${heading}`} target="_blank" size="sm">
          {words.guide}
        </Anchor>
      </Stack>
    </Warning>
  )
}

const Problems = ({ refusal: { issues, issuesLeftOut } }: { refusal: Refusal }) => (
  <Section
    title={words.problems}
    hint={issuesLeftOut === 0 ? words.problemsHint : `${words.problemsHint} ${words.leftOut(whole(issuesLeftOut))}`}
  >
    <DataTable
      label={words.problems}
      columns={problemColumns}
      rows={issues}
      keyOf={issue => `${issues.indexOf(issue)}`}
      empty={null}
    />
  </Section>
)

const problemColumns: readonly Column<Problem>[] = [
  {
    header: words.where,
    place: 'who',
    render: ({ path }) => (path === '' ? words.whole : <Code className="breakable">{path}</Code>),
  },
  {
    header: words.rule,
    place: 'more',
    // What is to be written stands in quotes.
    render: ({ message }) => (
      <span className="breakable">
        <WithCode text={translated(message)} code={/"([^"]+)"/} />
      </span>
    ),
  },
]

function RequestFacts({ workspaceId, request }: { workspaceId: string; request: RequestDetails }) {
  const { at, key, durationMs, messageId, hasMessage, requestId } = request
  const { can } = useWorkspace()
  const within = (path: string, name: string) => (
    <Anchor component={Link} href={`/w/${workspaceId}/${path}`} inherit className="breakable">
      <bdi>{name}</bdi>
    </Anchor>
  )
  const keyName = key.label ?? key.id
  const facts: (readonly [string, ReactNode])[] = [
    [words.at, <Time key="at" at={at} />],
    [words.duration, words.ms(durationMs < 10 ? String(durationMs) : whole(Math.round(durationMs)))],
    [words.key, can('admin') ? within('api-keys', keyName) : keyName],
    [texts.common.requestId, <CopyId key="id" id={requestId} what={texts.common.requestId} />],
    [words.message, messageId && (hasMessage ? within(`messages/${messageId}`, messageId) : messageId)],
  ]
  return (
    <Section title={words.facts}>
      <Facts facts={facts.filter(([, value]) => value !== null)} />
      <Group gap="lg" mt="md" fz="sm">
        {within(`requests?keyId=${key.id}`, words.ofKey)}
        {messageId !== null && within(`requests?messageId=${messageId}`, words.ofMessage)}
      </Group>
    </Section>
  )
}
