import { Anchor, Group, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import { whole } from '../../components/numbers.ts'
import { Time } from '../../components/Time.tsx'
import { Warning } from '../../components/Warning.tsx'
import { texts } from '../../texts/texts.ts'
import type { Overview } from './queries.ts'

const words = texts.overview
type Finding = Overview['attention'][number]

/** The findings that need a person, each with a link to the place to fix it. */
export function Attention({ workspaceId, findings }: { workspaceId: string; findings: readonly Finding[] }) {
  if (findings.length === 0) {
    return (
      <Group gap="xs" c="dimmed" mb="lg">
        <IconCircleCheck size={18} aria-hidden="true" />
        <Text size="sm">{words.allWell}</Text>
      </Group>
    )
  }
  return (
    <Warning mb="lg" icon={<IconAlertTriangle />} title={words.attention}>
      <List size="sm" spacing={6}>
        {findings.map(finding => (
          <List.Item key={`${finding.kind} ${finding.subjects.join()} ${finding.what}`}>
            {sentenceOf(finding)} {isTimed(finding) && <Time at={finding.since} />}{' '}
            <Anchor
              component={Link}
              href={`/w/${workspaceId}${placeOf(finding)}`}
              inherit
              c="inherit"
              underline="always"
            >
              {words.look[finding.kind]}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Warning>
  )
}

/** Whose sentence ends with the time since when. */
const isTimed = ({ kind }: Finding) => kind === 'backlog' || kind === 'webhookFailing'

function sentenceOf({ kind, subjects, count, of, isMore, what }: Finding): string {
  const { findings, counted } = words
  const many = whole(count ?? 0)
  switch (kind) {
    case 'noChannel':
    case 'noActiveLine':
    case 'noDefaultLine':
    case 'refusedToken':
    case 'noKey':
    case 'sharedAccount':
      return findings[kind]
    case 'callbacks':
      if (what === 'none') return findings.callbacksNone
      return what === 'unsigned' ? findings.callbacksUnsigned : findings.callbacksRefused
    case 'backlog':
      return findings.backlog(counted.waiting(many, count === 1))
    case 'unknownMessages': {
      const messages = counted.messages(isMore ? counted.moreThan(many) : many, count === 1 && !isMore)
      return findings.unknownMessages(messages)
    }
    case 'planLimit':
      return findings.planLimit(many, whole(of ?? 0))
    case 'manyFailures':
      return findings.manyFailures(many, whole(of ?? 0))
    case 'templates':
      return findings.templates(subjects.join(', ') + (isMore ? ' …' : ''))
    case 'oldKeys':
      return findings.oldKeys(counted.keys(many, count === 1))
    case 'webhookOff':
      return findings.webhookOff(subjects[1] ?? '', offReason(what))
    case 'webhookFailing':
      return findings.webhookFailing(subjects[1] ?? '')
    case 'update':
      return findings.update(what ?? '')
  }
}

const offReason = (what: string | null): string =>
  Object.entries(words.webhookOffReasons).find(([reason]) => reason === what)?.[1] ?? ''

/** The page to fix it, relative to the workspace. */
function placeOf({ kind, subjects: [subject] }: Finding): string {
  switch (kind) {
    case 'noChannel':
    case 'noActiveLine':
    case 'noDefaultLine':
    case 'sharedAccount':
    case 'update':
      return '/channels'
    case 'callbacks':
    case 'refusedToken':
      return `/channels/${subject}`
    case 'webhookOff':
    case 'webhookFailing':
      return `/webhooks/${subject}`
    case 'backlog':
      return '/messages?status=QUEUED'
    case 'unknownMessages':
      return '/messages?status=UNKNOWN'
    case 'manyFailures':
      return '/messages?status=FAILED'
    case 'planLimit':
      return '/usage'
    case 'templates':
      return '/templates'
    case 'noKey':
    case 'oldKeys':
      return '/api-keys'
  }
}
