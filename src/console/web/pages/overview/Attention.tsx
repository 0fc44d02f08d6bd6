import { ActionIcon, Box, Button, Group, Paper, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconBell, IconCircleCheck, IconCircleX, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'wouter'
import type { UserRole } from '../../../../../db/contract/roles.ts'
import { hasFailed, isShownAsWaiting, isUncertain } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { lightly } from '../../components/FindingItem.tsx'
import { whole } from '../../components/numbers.ts'
import { Time } from '../../components/Time.tsx'
import { localDate, localMinute } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'
import type { Overview } from './queries.ts'

const words = texts.overview
type Finding = Overview['attention'][number]

const looks = {
  bad: { color: 'red', icon: IconCircleX },
  warning: { color: 'yellow', icon: IconAlertTriangle },
  note: { color: 'blue', icon: IconBell },
} as const satisfies Record<Finding['severity'], object>

/** So many leave room for the rest of a telephone's first screen, as in attention.css. */
const foldedMax = 3

/** Where the text of a button begins below that of the findings, beside their signs, in pixels. */
const belowSentences = 42

/** The findings that need a person, the worst first, each with the cure and who may do it. */
export function Attention({ findings }: { findings: readonly Finding[] }) {
  const id = useId()
  const [areAwayShown, { toggle }] = useDisclosure(false)
  const [areAllShown, all] = useDisclosure(false)
  const [away, shown] = [findings.filter(({ putAway }) => putAway), findings.filter(({ putAway }) => !putAway)]
  if (findings.length === 0) {
    return (
      <Group gap="xs" c="dimmed" mb="lg">
        <IconCircleCheck size={18} aria-hidden="true" />
        <Text size="sm">{words.allWell}</Text>
      </Group>
    )
  }
  return (
    <Paper component="section" aria-labelledby={id} withBorder mb="lg">
      <Title order={2} id={id} size="h3" p="md" pb="xs">
        {words.attention}
      </Title>
      <ul className="plain-list findings" data-folded={!areAllShown || undefined}>
        {[...shown, ...(areAwayShown ? away : [])].map(finding => (
          <Row key={finding.id} finding={finding} />
        ))}
      </ul>
      {shown.length > foldedMax && !areAllShown && (
        <Button variant="subtle" size="xs" m="xs" mt={0} ml={belowSentences} hiddenFrom="sm" onClick={all.open}>
          {words.more(shown.length - foldedMax)}
        </Button>
      )}
      {shown.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="xs">
          {words.allElseWell}
        </Text>
      )}
      {away.length > 0 && (
        <Button variant="subtle" size="xs" m="xs" ml={belowSentences} onClick={toggle} aria-expanded={areAwayShown}>
          {words.putAway.count(away.length)}
        </Button>
      )}
    </Paper>
  )
}

function Row({ finding }: { finding: Finding }) {
  const { id: workspaceId, can } = useWorkspace()
  const severity = isOfTemplate(finding) ? 'warning' : finding.severity
  const { color, icon: Icon } = looks[severity]
  const { verb, needed, place } = cureOf(finding)
  const { putAway } = finding
  const { routes, change: changing } = useWorkspaceRoutes()
  const change = useMutation({
    mutationFn: () => changing(routes.attention.put({ finding: finding.id, isAway: putAway === null }), 'overview'),
  })
  return (
    <li className="finding">
      <Box className="round" w={28} h={28} {...lightly(color)} role="img" aria-label={words.severities[severity]}>
        <Icon size={16} aria-hidden="true" />
      </Box>
      <Text size="sm" className="breakable">
        {sentenceOf(finding)}{' '}
        {finding.since !== null && (
          <Text span inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            · <Time at={finding.since} precision="relative" />
          </Text>
        )}
        {putAway && (
          <Text span inherit c="dimmed">
            {' '}
            {words.putAway.by(putAway.by)} <Time at={putAway.at} precision="day" />
          </Text>
        )}
      </Text>
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {can(needed) ? (
          <Button
            component={Link}
            href={`/w/${workspaceId}${place(...finding.subjects)}`}
            variant="default"
            size="xs"
            color={color}
          >
            {verb}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {words.whoCan[needed](verb)}
          </Text>
        )}
        {can('member') &&
          (putAway ? (
            <Button variant="subtle" size="xs" color="gray" loading={change.isPending} onClick={() => change.mutate()}>
              {words.putAway.undo}
            </Button>
          ) : (
            <ActionIcon
              {...{ variant: 'subtle', color: 'gray', className: 'put-away', loading: change.isPending }}
              aria-label={words.putAway.verb}
              title={words.putAway.verb}
              onClick={() => change.mutate()}
            >
              <IconX size={16} aria-hidden="true" />
            </ActionIcon>
          ))}
      </Group>
    </li>
  )
}

interface Cure {
  readonly verb: string
  /** The role that may do it. */
  readonly needed: UserRole
  /** Where it is done, relative to the workspace. @param subjects of the finding */
  readonly place: (...subjects: readonly string[]) => string
}
const cure = (verb: string, needed: UserRole, place: Cure['place']): Cure => ({ verb, needed, place })

const { cures: verbs } = words
const limit = cure(verbs.planLimit, 'owner', () => '/settings#workspace')
const webhook = cure(verbs.webhook, 'viewer', id => `/webhooks/${id}`)
const template = cure(verbs.template, 'viewer', (lineId, id) => `/lines/${lineId}/templates/${id}`)
const templates = cure(verbs.templates, 'viewer', () => '/templates')

/** What is done about each. */
const cures: Readonly<Record<Finding['kind'], Cure>> = {
  noChannel: cure(verbs.noChannel, 'admin', () => '/channels/connect'),
  noActiveLine: cure(verbs.noActiveLine, 'admin', id => `/channels/${id}#lines`),
  pausedBatch: cure(verbs.pausedBatch, 'member', id => `/campaigns/${id}`),
  noDefaultLine: cure(verbs.noDefaultLine, 'admin', () => '/settings#workspace'),
  refusedToken: cure(verbs.refusedToken, 'admin', id => `/channels/${id}#secrets`),
  restricted: cure(verbs.restricted, 'viewer', id => `/channels/${id}#updates`),
  stoppedLine: cure(verbs.stoppedLine, 'viewer', id => `/channels/${id}#updates`),
  limitReached: limit,
  planLimit: limit,
  lateBackup: cure(verbs.lateBackup, 'owner', () => '/gateway'),
  lateUpload: cure(verbs.lateUpload, 'owner', () => '/gateway'),
  noBackups: cure(verbs.lateBackup, 'owner', () => '/gateway'),
  databaseLocked: cure(verbs.databaseLocked, 'owner', () => '/gateway'),
  clockJumped: cure(verbs.clockJumped, 'owner', () => '/gateway'),
  upgraded: cure(verbs.upgraded, 'owner', () => '/gateway'),
  failingLine: cure(verbs.failingLine, 'viewer', id => `/messages?status=${hasFailed.statuses}&line=${id}`),
  lowQuality: cure(verbs.lowQuality, 'viewer', id => `/channels/${id}#lines`),
  backlog: cure(verbs.backlog, 'viewer', () => `/messages?status=${isShownAsWaiting.statuses}`),
  callbacks: cure(verbs.callbacks, 'admin', id => `/channels/${id}#callbacks`),
  sharedAccount: cure(verbs.sharedAccount, 'admin', () => '/channels'),
  unknownMessages: cure(verbs.unknownMessages, 'member', () => `/messages?status=${isUncertain.statuses}`),
  manyFailures: cure(verbs.manyFailures, 'viewer', () => `/messages?status=${hasFailed.statuses}`),
  template,
  pausedTemplate: template,
  keyWithoutLine: cure(verbs.keyWithoutLine, 'admin', () => '/api-keys'),
  endingKey: cure(verbs.endingKey, 'admin', () => '/api-keys'),
  noKey: cure(verbs.noKey, 'admin', () => '/api-keys'),
  oldKeys: cure(verbs.oldKeys, 'admin', () => '/api-keys'),
  webhookOff: webhook,
  webhookFailing: webhook,
  update: cure(verbs.update, 'viewer', id => `/channels/${id}#updates`),
}
const cureOf = ({ kind, subjects: [lineId = ''] }: Finding): Cure =>
  kind === 'template' && lineId === '' ? templates : cures[kind]

/** What the platform refused or stopped holds up who sends with it: it is more than a note. */
const isOfTemplate = ({ kind }: Finding) => kind === 'template' || kind === 'pausedTemplate'

/** They may last for hours. */
const endOf = (kind: Finding['kind']) => (kind === 'restricted' || kind === 'pausedTemplate' ? localMinute : localDate)

function sentenceOf(finding: Finding): string {
  const { kind, count, of, isMore, until, what } = finding
  const [, name = '', template = '', language = ''] = finding.subjects
  return words.findings[kind]({
    ...{ name, template, language, isMore, what: what ?? '', isOne: count === 1 && (kind === 'template' || !isMore) },
    ...{ count: whole(count ?? 0), of: whole(of ?? 0), until: until && endOf(kind)(new Date(until)) },
  })
}
