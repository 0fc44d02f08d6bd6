import { Button, Group, NativeSelect, VisuallyHidden } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { lineName } from '../../../../../base/direction.ts'
import { answerPlace } from '../../../app/keyboard.ts'
import { Hint } from '../../../components/Hint.tsx'
import { useNow } from '../../../components/Time.tsx'
import { useFilters } from '../../../components/useFilters.ts'
import { composer as words } from '../../../texts/en/composer.ts'
import { AskingButton, useBlocking } from '../../contacts/Blocking.tsx'
import { contactName } from '../../contacts/queries.ts'
import { writeParameter } from '../queries.ts'
import { isWindowOpen, Window } from '../Window.tsx'
import { type ComposerProps, Field } from './Field.tsx'
import { TemplatePicker } from './TemplatePicker.tsx'
import { useKeyboardHeight } from './useKeyboardHeight.ts'

/** Writes to the person: text and files while the window is open, or may be, and templates at any time. */
export function Composer(props: ComposerProps) {
  const { page, composer } = props
  const { line } = composer
  const { contact, lines } = page
  const now = useNow()
  useKeyboardHeight()
  const isOpenOn = (one: typeof line) => isWindowOpen(one, now)
  const isOpen = isOpenOn(line)
  const { unblock } = useBlocking(page)
  const isBlockedOn = (one: typeof line) => one !== null && contact.blockedOn.includes(one.id)
  const active = lines.filter(one => one.active)
  /** The line whose templates are shown, whatever the person writes to meanwhile. */
  const [pickedOn, pickOn] = useState<string | null>(null)
  const [begins, setBegins] = useState(false)
  /** The window may end while somebody speaks: what is recorded and uploaded is kept first. */
  const [isBusy, setBusy] = useState(false)
  const [{ [writeParameter]: wanted }, change] = useFilters({ [writeParameter]: '' })
  const begin = useEffectEvent(() => {
    const from = active.find(({ id }) => id === wanted) ?? line
    if (wanted === '' || from === null) return
    composer.chooseLine(from.id)
    if (isOpenOn(from)) setBegins(true)
    else if (!isBlockedOn(from)) pickOn(from.id)
    change({ [writeParameter]: '' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that somebody comes to write
  useEffect(begin, [wanted])
  if (line === null) return <Hint>{words.noLine}</Hint>
  const pick = () => pickOn(line.id)
  return (
    <section className="composer" aria-label={words.label(contactName(contact))}>
      <VisuallyHidden role="status">{composer.told}</VisuallyHidden>
      {active.length > 1 && (
        <Group gap="xs" wrap="nowrap">
          <Hint>{words.from}</Hint>
          <NativeSelect
            size="xs"
            aria-label={words.from}
            value={line.id}
            data={active.map(one => ({ value: one.id, label: lineName(one) }))}
            onChange={event => composer.chooseLine(event.currentTarget.value)}
          />
        </Group>
      )}
      {isBlockedOn(line) ? (
        <Group gap="xs">
          {unblock && (
            <AskingButton asking={unblock} button={{ size: 'sm', ...answerPlace }} onAsk={() => setBegins(true)} />
          )}
          <Hint>{words.isBlocked}</Hint>
        </Group>
      ) : isOpen || isBusy ? (
        <Field {...props} onPick={pick} begins={begins} onBusy={setBusy} />
      ) : (
        <Group gap="xs">
          <Button
            size="sm"
            leftSection={<IconTemplate size={16} />}
            onClick={pick}
            disabled={composer.isFull}
            {...answerPlace}
          >
            {words.chooseTemplate}
          </Button>
          <Window line={line} />
        </Group>
      )}
      <TemplatePicker
        isOpen={pickedOn !== null}
        onClose={() => pickOn(null)}
        page={page}
        isOnlyWay={!isOpen}
        phoneNumberId={pickedOn ?? line.id}
        composer={composer}
      />
    </section>
  )
}
