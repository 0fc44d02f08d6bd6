import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ChooseFile } from '../../components/ChooseFile.tsx'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { labelled } from '../../components/fields.ts'
import { whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { rates as words } from '../../texts/en/rates.ts'
import type { WorkspaceSettings } from './WorkspaceSection.tsx'

/** What a message costs: admins give it as a file, and Usage makes an estimate of it. */
export function RatesSection({ rates }: Pick<WorkspaceSettings, 'rates'>) {
  const { id, can } = useWorkspace()
  const { routes, change } = useWorkspaceRoutes()
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title={words.title} anchor="rates" hint={words.hint}>
      <Stack gap="sm">
        <Text size="sm">
          {rates === null ? (
            words.none
          ) : (
            <>
              {words.kept(rates.count, whole(rates.count), rates.currencies.join(', '))}{' '}
              <Time at={rates.setAt} precision="day" />.{' '}
              <Anchor component={Link} href={`/w/${id}/usage#prices`} inherit>
                {words.toUsage}
              </Anchor>
            </>
          )}
        </Text>
        {can('admin') && (
          <Group gap="sm">
            <Button variant="default" size="xs" onClick={() => setOpen(true)}>
              {rates === null ? words.add : words.replace}
            </Button>
            {rates !== null && (
              <ConfirmButton
                label={words.remove}
                button={{ variant: 'subtle', size: 'xs', color: 'red' }}
                title={words.removeTitle}
                confirmLabel={words.remove}
                onConfirm={() => change(routes.settings.rates.put({ file: null }))}
              >
                <Text size="sm">{words.removeHint}</Text>
              </ConfirmButton>
            )}
          </Group>
        )}
      </Stack>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title={rates === null ? words.add : words.replace}>
        <RatesForm onDone={() => setOpen(false)} />
      </FormDialog>
    </Section>
  )
}

/** A file is shown before it is kept, and may as well be pasted. */
function RatesForm({ onDone }: { onDone: () => void }) {
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial: { file: '' },
    rules: { file: file => (file.trim() === '' ? words.missing : null) },
    send: ({ file }) => change(routes.settings.rates.put({ file })),
    onSuccess: onDone,
  })
  return (
    <Form form={form} submit={words.save} onCancel={onDone}>
      <div>
        <ChooseFile
          label={words.choose}
          accept=".csv,text/csv,text/plain"
          isBusy={false}
          onChoose={async chosen => form.set({ file: await chosen.text() })}
        />
      </div>
      <Textarea
        {...labelled(words, 'file')}
        placeholder={example}
        rows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.text('file')}
      />
    </Form>
  )
}

/** As `waypost costs --rates` reads it: in no language. */
const example = 'country,category,price,currency\nDE,utility,0.0456,EUR\nDE,marketing,0.1131,EUR\n*,utility,0.0080,EUR'
