import { Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { lineName } from '../../../../base/direction.ts'
import { nameLengthMax } from '../../../../base/names.ts'
import { monthlyLimitMax } from '../../../../message/plan.ts'
import { renewSession } from '../../api/access.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CopyId } from '../../components/CopyButton.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { choicesOf, labelled, wholeNumberError } from '../../components/fields.ts'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { whole, wholeOf } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { type ListedLine, useLines } from '../channels/queries.ts'

const words = texts.settings

export const useSettings = () => useWorkspaceQuery(['settings'], routes => routes.settings.get())
export type WorkspaceSettings = NonNullable<ReturnType<typeof useSettings>['data']>
type Workspace = WorkspaceSettings['workspace']

/** The workspace: admins change its name and its default line, owners its monthly limit. */
export function WorkspaceSection({ workspace }: { workspace: Workspace }) {
  const { can } = useWorkspace()
  const lines = useLines()
  const { id, name, createdAt } = workspace
  return (
    <Section title={words.workspace} anchor="workspace">
      <Facts
        facts={[
          ...(can('admin') ? [] : [[words.name, name] as const]),
          [words.id, <CopyId key="id" id={id} what={words.id} />],
          ...(can('admin') ? [] : [[words.deleted, words.deletedChoices[workspace.deletedMessages]] as const]),
          [words.created, <Time key="created" at={createdAt} precision="day" />],
          ...(can('owner') ? [] : [[words.limit, limitText(workspace)] as const]),
        ]}
      />
      {!can('owner') && (
        <Text size="sm" c="dimmed" mt="sm">
          {words.limitOwner}
        </Text>
      )}
      {can('admin') && (
        <Loaded query={lines} waiting={<Placeholder h={320} />}>
          {data => <WorkspaceForm workspace={workspace} lines={data.lines} />}
        </Loaded>
      )}
    </Section>
  )
}

function limitText({ monthlyMessageLimit: limit, monthlyCeiling: ceiling }: Workspace): string {
  if (limit === null) return words.unlimited
  return ceiling === null || limit === ceiling ? whole(limit) : words.belowCeiling(whole(limit), whole(ceiling))
}

const isUnlimited = (written: string) => written.trim() === ''

/** @returns the button of a form, and beside it that the form is saved as it stands */
export const savedBeside = (isSaved: boolean) => (button: ReactNode) => (
  <Group gap="sm">
    {button}
    {isSaved && (
      <Text size="sm" role="status">
        {texts.common.saved}
      </Text>
    )}
  </Group>
)

/** It sends only what was changed in it: the rest may have been changed elsewhere meanwhile. */
function WorkspaceForm({ workspace, lines }: { workspace: Workspace; lines: readonly ListedLine[] }) {
  const { can } = useWorkspace()
  const { routes, change } = useWorkspaceRoutes()
  const { monthlyCeiling: ceiling } = workspace
  const limitBounds = { min: 0, max: ceiling ?? monthlyLimitMax }
  const defaultId = lines.find(({ isDefault }) => isDefault)?.id ?? ''
  const [saved, setSaved] = useState({
    name: workspace.name,
    lineId: defaultId,
    deleted: workspace.deletedMessages,
    limit: workspace.monthlyMessageLimit === null ? '' : whole(workspace.monthlyMessageLimit),
  })
  const form = useForm({
    initial: saved,
    rules: {
      limit: written => (isUnlimited(written) && ceiling === null ? null : wholeNumberError(written, limitBounds)),
    },
    async send({ name, lineId, deleted, limit }) {
      if (name !== saved.name) {
        await change(routes.settings.name.put({ name }))
        // The session knows the workspaces of its user.
        await renewSession()
      }
      if (lineId !== saved.lineId && lineId !== defaultId) {
        await change(routes.lines({ lineId: lineId || defaultId }).patch({ isDefault: lineId !== '' }))
      }
      if (deleted !== saved.deleted) await change(routes.settings['deleted-messages'].put({ deletedMessages: deleted }))
      if (limit !== saved.limit) {
        const monthlyMessageLimit = isUnlimited(limit) ? null : wholeOf(limit, limitBounds)
        await change(routes.settings['monthly-limit'].put({ monthlyMessageLimit }))
      }
      setSaved({ name, lineId, deleted, limit })
    },
  })
  const isChanged = JSON.stringify(form.fields) !== JSON.stringify(saved)
  const actions = savedBeside(form.sent.isSuccess && !isChanged)
  return (
    <Form form={form} submit={words.save} isReady={isChanged} actions={actions} mt="md">
      <TextInput label={words.name} required maxLength={nameLengthMax} {...form.text('name')} />
      {can('owner') && (
        <TextInput
          {...labelled(words, 'limit')}
          {...(ceiling !== null && { description: words.ceilingHint(whole(ceiling)) })}
          placeholder={ceiling === null ? words.unlimited : undefined}
          inputMode="numeric"
          {...form.text('limit')}
        />
      )}
      <NativeSelect
        {...labelled(words, 'defaultLine')}
        data={[
          { value: '', label: words.noDefaultLine },
          ...lines.filter(({ active }) => active).map(line => ({ value: line.id, label: lineName(line) })),
        ]}
        {...form.text('lineId')}
      />
      <NativeSelect {...labelled(words, 'deleted')} data={choicesOf(words.deletedChoices)} {...form.text('deleted')} />
    </Form>
  )
}
