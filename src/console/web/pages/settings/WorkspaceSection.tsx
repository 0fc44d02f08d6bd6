import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { renewSession } from '../../api/access.ts'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CopyId } from '../../components/CopyId.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Facts } from '../../components/Facts.tsx'
import { wholeNumberError } from '../../components/formErrors.ts'
import { whole, wholeOf } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { useLines } from '../channels/queries.ts'

const words = texts.settings
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
    <Section title={words.workspace}>
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

function Name({ name }: { name: string }) {
  const { id: workspaceId } = useWorkspace()
  const [written, setWritten] = useState(name)
  const save = async () => {
    await answerOf(api.workspaces({ workspaceId }).settings.name.put({ name: written }))
    // The session knows the workspaces of its user.
    await renewSession()
  }
  return (
    <Change label={words.name} written={written} onSave={save}>
      <TextInput
        label={words.name}
        required
        maxLength={100}
        value={written}
        onChange={event => setWritten(event.currentTarget.value)}
      />
    </Change>
  )
}

function MonthlyLimit({ limit }: { limit: number | null }) {
  const { id: workspaceId } = useWorkspace()
  const form = useForm({
    initialValues: { limit: limit?.toLocaleString('en') ?? '' },
    validate: { limit: written => (isUnlimited(written) ? null : wholeNumberError(written, limitBounds)) },
  })
  const { limit: written } = form.values
  const save = () => {
    const monthlyMessageLimit = isUnlimited(written) ? null : wholeOf(written, limitBounds)
    return answerOf(api.workspaces({ workspaceId }).settings['monthly-limit'].put({ monthlyMessageLimit }))
  }
  return (
    <Change label={words.limit} written={written} isRight={() => !form.validate().hasErrors} onSave={save}>
      <TextInput
        label={words.limit}
        description={words.limitHint}
        placeholder={words.unlimited}
        inputMode="numeric"
        {...form.getInputProps('limit')}
      />
    </Change>
  )
}

const isUnlimited = (written: string) => written.trim() === ''

function DefaultLine() {
  const { id: workspaceId } = useWorkspace()
  const lines = useLines().data?.lines
  const [chosen, setChosen] = useState<string | null>(null)
  if (!lines) return null
  const now = lines.find(({ isDefault }) => isDefault)?.id ?? ''
  const value = chosen ?? now
  const save = async () => {
    if (value === now) return
    const isDefault = value !== ''
    await answerOf(
      api
        .workspaces({ workspaceId })
        .lines({ lineId: isDefault ? value : now })
        .patch({ isDefault }),
    )
  }
  return (
    <Change label={words.defaultLine} written={value} onSave={save}>
      <NativeSelect
        label={words.defaultLine}
        description={words.defaultLineHint}
        value={value}
        data={[
          { value: '', label: words.noDefaultLine },
          ...lines.filter(({ active }) => active).map(({ id, number }) => ({ value: id, label: number })),
        ]}
        onChange={event => setChosen(event.currentTarget.value)}
      />
    </Change>
  )
}

/** One field with its own button, and what came of it. */
function Change(props: {
  label: string
  /** What the field holds. */
  written: string
  /** Asked before each save; shows at the field what is wrong. */
  isRight?: () => boolean
  onSave: () => Promise<unknown>
  children: ReactNode
}) {
  const { label, written, isRight = () => true, onSave, children } = props
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const save = useMutation({
    // Told what it saves: after the next edit the field holds something that is not saved.
    mutationFn: (_written: string) => onSave(),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['workspace', workspaceId] }),
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (isRight()) save.mutate(written)
      }}
    >
      <Group align="flex-end" gap="sm">
        <div style={{ flex: '1 1 16rem' }}>{children}</div>
        <Button type="submit" variant="default" loading={save.isPending} aria-label={`${texts.common.save}: ${label}`}>
          {texts.common.save}
        </Button>
        {save.isSuccess && save.variables === written && (
          <Text size="sm" role="status">
            {texts.common.saved}
          </Text>
        )}
      </Group>
      {save.error && <ErrorView error={save.error} />}
    </form>
  )
}
