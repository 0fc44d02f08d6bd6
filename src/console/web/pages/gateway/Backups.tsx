import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Facts } from '../../components/Facts.tsx'
import { byteSize } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { gateway as words } from '../../texts/en/gateway.ts'
import type { GatewayState } from './Findings.tsx'

type Backups = NonNullable<GatewayState['backups']>
type Backup = Backups['files'][number]

const settings = ['BACKUP_DIR=/var/lib/waypost/backups', 'BACKUP_EVERY=6h', 'BACKUP_KEEP=28'].join('\n')

const columns: readonly Column<Backup>[] = [
  { header: words.made, render: ({ at }) => <Time at={at} /> },
  { header: words.size, isNumber: true, render: ({ bytes }) => (bytes === null ? '–' : byteSize(bytes)) },
  { header: words.backup, render: ({ name }) => <span className="breakable">{name}</span> },
  { header: words.where, render: ({ uploadedAt }) => (uploadedAt === null ? words.inFolder : words.inBoth) },
]

/** The automatic backups; without any, how to set them up. */
export function BackupSection({ engine, backups }: Pick<GatewayState, 'engine' | 'backups'>) {
  return (
    <Section title={words.backups} {...(backups && { hint: words.backupsHint(backups.keep) })}>
      <Stack>
        {backups ? <Made backups={backups} /> : <NotMade engine={engine} />}
        <Anchor href="/docs/deploy#backup" target="_blank" size="sm">
          {words.guide}
        </Anchor>
      </Stack>
    </Section>
  )
}

function NotMade({ engine }: Pick<GatewayState, 'engine'>) {
  if (engine === 'postgresql') return <Text size="sm">{words.server}</Text>
  return (
    <>
      <Text size="sm">{words.setUpHint}</Text>
      <CodeBlock text={settings} what={words.setUpLines} />
    </>
  )
}

function Made({ backups }: { backups: Backups }) {
  const { isUploaded, nextAt, isLate, failure, files } = backups
  const next = isLate ? <StatusBadge tone="bad">{words.late}</StatusBadge> : <Time at={nextAt} otherwise="–" />
  return (
    <>
      {failure && (
        <Alert color="red" title={failure.isOfUpload ? words.uploadsFail : words.backupsFail}>
          <Time at={failure.since} />: {failure.reason}
        </Alert>
      )}
      <Facts
        facts={[
          [words.bucket, isUploaded ? words.uploaded : words.notUploaded],
          [words.next, next],
        ]}
      />
      <DataTable
        label={words.backups}
        columns={columns}
        rows={files}
        keyOf={({ name }) => name}
        empty={<EmptyList title={words.noBackups} hint={words.noBackupsHint} />}
      />
    </>
  )
}
