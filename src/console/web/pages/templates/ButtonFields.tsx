import { ActionIcon, Button, Group, Menu, Paper, Stack, Text, TextInput } from '@mantine/core'
import { type Icon, IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { buttonsMax } from '../../../../base/upstreamLimits.ts'
import { countMax } from '../../../../templates/authoring/buttons.ts'
import type { ButtonDraft } from '../../../../templates/authoring/draft.ts'
import { buttonOf } from '../../../../templates/authoring/parts.ts'
import { variablesIn } from '../../../../templates/authoring/texts.ts'
import { Choice } from '../../components/Choice.tsx'
import { choicesOf, labelled } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { tile, two } from '../../components/tile.ts'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { type DraftState, type Editing, textsOf } from './draftState.ts'
import { Problem } from './TextFields.tsx'

const words = templateWords.editor

type Kind = ButtonDraft['kind']

/** The buttons of a message. @param kinds those that can be added */
export function ButtonList({ state, kinds }: { state: DraftState; kinds: readonly Kind[] }) {
  const { buttons } = state.draft
  const onChange = (next: ButtonDraft[]) => state.change({ buttons: next })
  const isFull = (kind: Kind) => buttons.filter(button => button.kind === kind).length >= (countMax[kind] ?? buttonsMax)
  const moved = (from: number, to: number) =>
    buttons.toSpliced(from, 1).toSpliced(to, 0, ...buttons.slice(from, from + 1))
  return (
    <Stack gap="sm">
      {buttons.length === 0 && <Hint>{words.noButtons}</Hint>}
      {buttons.map((button, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
        <Paper key={at} withBorder p="sm">
          <Group justify="space-between" mb="xs" wrap="nowrap">
            <Text size="sm" fw={600}>
              {at + 1}. {words.buttonKinds[button.kind]}
            </Text>
            <Group gap={4} wrap="nowrap">
              <ButtonAction
                label={words.moveUp(at + 1)}
                sign={IconArrowUp}
                isOff={at === 0}
                onClick={() => onChange(moved(at, at - 1))}
              />
              <ButtonAction
                label={words.moveDown(at + 1)}
                sign={IconArrowDown}
                isOff={at === buttons.length - 1}
                onClick={() => onChange(moved(at, at + 1))}
              />
              <ButtonAction
                label={words.removeButton(at + 1)}
                sign={IconTrash}
                color="red"
                onClick={() => onChange(buttons.toSpliced(at, 1))}
              />
            </Group>
          </Group>
          <ButtonFields
            state={state}
            part={button}
            path={`/buttons/${at}`}
            onChange={next => onChange(buttons.with(at, next))}
          />
        </Paper>
      ))}
      {/* Shown as soon as there are some. */}
      <Problem of={state.problemOf('/buttons')} />
      <Group>
        <AddButton
          kinds={kinds}
          isOff={buttons.length >= buttonsMax}
          isKindOff={isFull}
          onAdd={button => {
            state.touch('/buttons')
            onChange([...buttons, button])
          }}
        />
      </Group>
    </Stack>
  )
}

function ButtonAction(props: { label: string; sign: Icon; color?: 'red'; isOff?: boolean; onClick: () => void }) {
  const { label, sign: Sign, color = 'gray', isOff, onClick } = props
  return (
    <ActionIcon
      variant="subtle"
      color={color}
      disabled={isOff}
      // Where it cannot be pressed, it looks least like a button.
      {...(isOff && { bg: 'none' })}
      aria-label={label}
      onClick={onClick}
    >
      <Sign size={16} />
    </ActionIcon>
  )
}

/** Adds a button of one of these kinds. */
export function AddButton(props: {
  kinds: readonly Kind[]
  size?: 'xs'
  isOff: boolean
  isKindOff?: (kind: Kind) => boolean
  onAdd: (button: ButtonDraft) => void
}) {
  const { kinds, size, isOff, isKindOff, onAdd } = props
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size={size} variant="default" leftSection={<IconPlus size={16} />} disabled={isOff}>
          {words.addButton}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map(kind => (
          <Menu.Item key={kind} disabled={isKindOff?.(kind) ?? false} onClick={() => onAdd(buttonOf(kind))}>
            {words.buttonKinds[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** An address is longer than what else is said of a button. */
const wholeRow = { gridColumn: '1 / -1' }

/** What one button says and does; its kind is fixed. */
export function ButtonFields(props: Editing<ButtonDraft>) {
  const { part: button, onChange } = props
  const text = textsOf(props)
  if (button.kind === 'oneTimeCode') return null
  return (
    <div className="tiles" style={tile(two)}>
      {button.kind !== 'copyCode' && <TextInput label={words.label} required {...text('text')} />}
      {button.kind === 'copyCode' && <TextInput label={words.offerCode} required {...text('example')} />}
      {button.kind === 'phone' && <TextInput label={words.phone} required inputMode="tel" {...text('phone')} />}
      {button.kind === 'url' && (
        <TextInput {...labelled(words, 'url')} required inputMode="url" style={wholeRow} {...text('url')} />
      )}
      {button.kind === 'url' && variablesIn(button.url).length > 0 && (
        <TextInput label={words.urlExample} required {...text('example')} />
      )}
      {button.kind === 'flow' && (
        <>
          <TextInput label={words.flowId} required {...text('flowId')} />
          <Choice
            label={words.flowAction}
            value={button.action}
            onChange={action => onChange({ ...button, action: action === 'data_exchange' ? action : 'navigate' })}
            data={choicesOf(words.flowActions)}
          />
          {button.action === 'navigate' && <TextInput label={words.flowScreen} required {...text('screen')} />}
        </>
      )}
    </div>
  )
}
