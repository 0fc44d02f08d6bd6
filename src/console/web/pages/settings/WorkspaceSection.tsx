import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { renewSession } from '../../api/access.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CopyId } from '../../components/CopyId.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Facts } from '../../components/Facts.tsx'
import { useForm } from '../../components/Form.tsx'
import { wholeNumberError } from '../../components/formErrors.ts'
import { labelled } from '../../components/labelled.ts'
import { whole, wholeOf } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { type Line, useLines } from '../channels/queries.ts'

const words = texts.settings
/** The list shows the current default line, also after somebody else has changed it. */
const unchosen = 'unchosen'
const limitBounds = { min: 0, max: 1_000_000_000 }

interface Workspace {
  readonly id: string
  readonly name: string
  readonly monthlyMessageLimit: number | null
  readonly createdAt: string
}

/** The workspace: admins change its name and its default line, owners its monthly limit. */
export function WorkspaceSection({ workspace }: { workspace: Workspace }) {
  const { can } = useWorkspace()
  const { id, name, monthlyMessageLimit: limit, createdAt } = workspace
  return (
    <Section title={words.workspace} anchor="workspace">
      <Facts
        facts={[
          ...(can('admin') ? [] : [[words.name, name] as const]),
          [words.id, <CopyId key="id" id={id} what={words.id} />],
          [words.created, <Time key="created" at={createdAt} precision="day" />],
          ...(can('owner') ? [] : [[words.limit, limit === null ? words.unlimited : whole(limit)] as const]),
        ]}
      />
      {!can('owner') && (
        <Text size="sm" c="dimmed" mt="sm">
          {words.limitOwner}
        </Text>
      )}
      {can('admin') && (
        <Stack mt="md" maw={480}>
          <Name name={name} />
          <DefaultLine />
          {can('owner') && <MonthlyLimit limit={limit} />}
        </Stack>
      )}
    </Section>
  )
}

function Name({ name: now }: { name: string }) {
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial: { name: now },
    async send({ name }) {
      await change(routes.settings.name.put({ name }))
      // The session knows the workspaces of its user.
      await renewSession()
    },
  })
  return (
    <Change label={words.name} form={form}>
      <TextInput label={words.name} required maxLength={100} {...form.text('name')} />
    </Change>
  )
}

function MonthlyLimit({ limit: now }: { limit: number | null }) {
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial: { limit: now?.toLocaleString('en') ?? '' },
    rules: { limit: written => (isUnlimited(written) ? null : wholeNumberError(written, limitBounds)) },
    send({ limit }) {
      const monthlyMessageLimit = isUnlimited(limit) ? null : wholeOf(limit, limitBounds)
      return change(routes.settings['monthly-limit'].put({ monthlyMessageLimit }))
    },
  })
  return (
    <Change label={words.limit} form={form}>
      <TextInput
        {...labelled(words, 'limit')}
        placeholder={words.unlimited}
        inputMode="numeric"
        {...form.text('limit')}
      />
    </Change>
  )
}

const isUnlimited = (written: string) => written.trim() === ''

function DefaultLine() {
  const lines = useLines().data?.lines
  return lines && <DefaultLineOf lines={lines} />
}

function DefaultLineOf({ lines }: { lines: readonly Line[] }) {
  const { routes, change } = useWorkspaceRoutes()
  const now = lines.find(({ isDefault }) => isDefault)?.id ?? ''
  const form = useForm({
    initial: { lineId: unchosen },
    async send({ lineId: chosen }) {
      if (chosen === unchosen || chosen === now) return
      await change(routes.lines({ lineId: chosen || now }).patch({ isDefault: chosen !== '' }))
    },
  })
  const { lineId } = form.fields
  return (
    <Change label={words.defaultLine} form={form}>
      <NativeSelect
        {...labelled(words, 'defaultLine')}
        data={[
          { value: '', label: words.noDefaultLine },
          ...lines.filter(({ active }) => active).map(({ id, number }) => ({ value: id, label: number })),
        ]}
        {...form.text('lineId')}
        value={lineId === unchosen ? now : lineId}
      />
    </Change>
  )
}

/** One field with its own button, and what came of it. */
function Change<Fields extends Record<string, string>>(props: {
  label: string
  form: ReturnType<typeof useForm<Fields, unknown>>
  children: ReactNode
}) {
  const { label, form, children } = props
  const { sent, fields, failure, submit } = form
  // After the next edit the field is no longer saved.
  const isSaved = sent.isSuccess && JSON.stringify(sent.variables) === JSON.stringify(fields)
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <div style={{ flex: '1 1 16rem' }}>{children}</div>
        <Button type="submit" variant="default" loading={sent.isPending} aria-label={`${texts.common.save}: ${label}`}>
          {texts.common.save}
        </Button>
        {isSaved && (
          <Text size="sm" role="status">
            {texts.common.saved}
          </Text>
        )}
      </Group>
      {failure && <ErrorView error={failure} />}
    </form>
  )
}
