import { ActionIcon, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconDots } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { wholeNumberError } from '../../components/formErrors.ts'
import { wholeOf } from '../../components/numbers.ts'
import { texts } from '../../texts/texts.ts'
import type { Line } from './queries.ts'

const words = texts.line
const perSecondBounds = { min: 0, max: 100_000 }
const pairSecondsBounds = { min: 0, max: 3_600 }
type Change = { active?: boolean; isDefault?: boolean; perSecond?: number; pairSeconds?: number }

/** Everything that an admin can do with a line. Each change asks first, or shows what failed. */
export function LineMenu({ line }: { line: Line }) {
  const [open, setOpen] = useState<'rate' | 'remove' | 'deactivate' | 'change' | null>(null)
  const [wanted, setWanted] = useState<Change>({})
  const { change, remove } = useLineActions(line.id)
  const close = () => setOpen(null)
  const ask = (next: Change) => {
    setWanted(next)
    setOpen('change')
  }
  const { number, active, isDefault } = line
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.common.actionsFor(number)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {active && (
            <Menu.Item onClick={() => ask({ isDefault: !isDefault })}>
              {isDefault ? words.noDefault : words.makeDefault}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => setOpen('rate')}>{words.rate}</Menu.Item>
          {active ? (
            <Menu.Item onClick={() => setOpen('deactivate')}>{words.deactivate}</Menu.Item>
          ) : (
            <Menu.Item onClick={() => ask({ active: true })}>{words.activate}</Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={open === 'change'}
        onClose={close}
        title={number}
        confirmLabel={wanted.active ? words.activate : wanted.isDefault ? words.makeDefault : words.noDefault}
        onConfirm={() => change(wanted)}
        isHarmless
      >
        <Text size="sm">{wanted.isDefault === false ? words.noDefaultNext : texts.channels.unnamed(number)}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'deactivate'}
        onClose={close}
        title={words.deactivate}
        confirmLabel={words.deactivate}
        onConfirm={() => change({ active: false })}
      >
        <Text size="sm">{words.deactivateQuestion(number)}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'remove'}
        onClose={close}
        title={words.removeTitle(number)}
        confirmLabel={words.remove}
        onConfirm={remove}
        typed={number}
      >
        <Text size="sm">{words.removeQuestion}</Text>
      </ConfirmDialog>
      <FormDialog opened={open === 'rate'} onClose={close} title={`${words.rate}: ${number}`}>
        <RateForm line={line} onChange={change} onDone={close} />
      </FormDialog>
    </>
  )
}

function useLineActions(lineId: string) {
  const { id: workspaceId } = useWorkspace()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['workspace', workspaceId] })
  const route = api.workspaces({ workspaceId }).lines({ lineId })
  return {
    async change(next: Change) {
      await answerOf(route.patch(next))
      await refresh()
    },
    async remove() {
      await answerOf(route.delete())
      await refresh()
    },
  }
}

function RateForm({
  line,
  onChange,
  onDone,
}: {
  line: Line
  onChange: (next: Change) => Promise<void>
  onDone: () => void
}) {
  const form = useForm({
    initialValues: { perSecond: String(line.perSecond), pairSeconds: String(line.pairSeconds) },
    validate: {
      perSecond: written => wholeNumberError(written, perSecondBounds),
      pairSeconds: written => wholeNumberError(written, pairSecondsBounds),
    },
    transformValues: ({ perSecond, pairSeconds }): Change => ({
      perSecond: wholeOf(perSecond, perSecondBounds) ?? line.perSecond,
      pairSeconds: wholeOf(pairSeconds, pairSecondsBounds) ?? line.pairSeconds,
    }),
  })
  const save = useMutation({ mutationFn: onChange, onSuccess: onDone })
  return (
    <form onSubmit={form.onSubmit(values => save.mutate(values))}>
      <Stack>
        <TextInput
          label={words.perSecond}
          description={words.perSecondHint}
          inputMode="numeric"
          required
          {...form.getInputProps('perSecond')}
        />
        <TextInput
          label={words.pairSeconds}
          description={words.pairSecondsHint}
          inputMode="numeric"
          required
          {...form.getInputProps('pairSeconds')}
        />
        {save.error && <ErrorView error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
