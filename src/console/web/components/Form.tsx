import { Alert, Button, Group, type MantineColor, Stack, type StackProps, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { currentSession } from '../api/access.ts'
import { draftKey, forgetDraft, keepDraft, keptDraft } from '../api/drafts.ts'
import { texts } from '../texts/texts.ts'
import { ErrorView } from './ErrorView.tsx'
import { fieldErrors } from './fields.ts'

type Values = Readonly<Record<string, string | boolean>>

interface FormOptions<Fields extends Values, Answer> {
  /** The initial values of the fields. */
  readonly initial: Fields
  /** Checks, from the first attempt to send on, at each key; null: nothing is wrong. */
  readonly rules?: { readonly [Name in keyof Fields]?: (value: Fields[Name], fields: Fields) => string | null }
  /** Also checks a field that is left. */
  readonly checksLeft?: boolean
  /** The rules alone check the fields, and the browser does not. */
  readonly noValidate?: boolean
  /** Keeps what is written until it is sent, also over a reload: all but these fields, which may hold secrets. */
  readonly draftWithout?: readonly (keyof Fields)[]
  readonly send: (fields: Fields) => Promise<Answer>
  readonly onSuccess?: (answer: Answer) => void
  readonly onError?: (thrown: unknown, fields: Fields) => void
}

/** The values of a form's fields, their problems, and submitting them. {@link Form} renders it. */
export function useForm<Fields extends Values, Answer>(options: FormOptions<Fields, Answer>) {
  const { initial, checksLeft = false, noValidate = false, draftWithout, send, onSuccess, onError } = options
  const rules: NonNullable<typeof options.rules> = options.rules ?? {}
  const draft = useDraft(initial, draftWithout)
  const [fields, setFields] = useState(draft.fields)
  /** What was refused, and what was wrong when a field was left, until the field is changed. */
  const [problems, setProblems] = useState<Readonly<Record<string, string | undefined>>>({})
  /** How often it was to be sent and not all was right; each time its first such field gets the focus. */
  const [checks, setChecks] = useState(0)
  const problemOf = (name: keyof Fields) => rules[name]?.(fields[name], fields) ?? undefined
  const sent = useMutation({
    mutationFn: send,
    onSuccess(answer) {
      draft.forget()
      onSuccess?.(answer)
    },
    onError(thrown, given) {
      setProblems(fieldErrors(thrown, fields))
      onError?.(thrown, given)
    },
  })
  const refused = sent.error ? Object.keys(fieldErrors(sent.error, fields)) : []
  const isShownAtFields = refused.length > 0 && refused.every(name => Object.hasOwn(fields, name))
  const set = (next: Partial<Fields>) => {
    setFields(before => ({ ...before, ...next }))
    draft.keep({ ...fields, ...next })
    setProblems(before => ({ ...before, ...Object.fromEntries(Object.keys(next).map(name => [name, undefined])) }))
  }
  /** Resets the fields and their problems. */
  function reset() {
    draft.forget()
    setFields(initial)
    setProblems({})
    setChecks(0)
  }
  return {
    fields,
    set,
    sent,
    reset,
    checks,
    keepsDraft: draftWithout !== undefined,
    isRestored: draft.isRestored,
    /** Shown below the fields: what names none of them. */
    failure: isShownAtFields ? null : sent.error,
    noValidate,
    /** The properties of a text input. */
    text: (name: keyof Fields & string) => ({
      value: String(fields[name]),
      onChange: ({
        currentTarget: { value },
      }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
        set({ [name]: value } as Partial<Fields>),
      ...(checksLeft && { onBlur: () => setProblems(before => ({ ...before, [name]: problemOf(name) })) }),
      error: problems[name] ?? (checks > 0 ? problemOf(name) : undefined),
    }),
    submit(event: FormEvent, isReady = true) {
      event.preventDefault()
      if (!isReady) return
      setChecks(before => before + 1)
      if (Object.keys(rules).every(name => problemOf(name) === undefined)) sent.mutate(fields)
    },
  }
}

/** The draft of a form on this page; none where `without` is missing. */
function useDraft<Fields extends Values>(initial: Fields, without: readonly (keyof Fields)[] | undefined) {
  const [location] = useLocation()
  const [key] = useState(() => without && draftKey(currentSession()?.user.id ?? '', location))
  const [kept] = useState(() => {
    const draft: object = Object(key && keptDraft(key))
    // Another version of the console may have had other fields.
    return Object.fromEntries(Object.entries(draft).filter(([name, value]) => typeof value === typeof initial[name]))
  })
  const [isRestored, setRestored] = useState(Object.keys(kept).length > 0)
  return {
    fields: { ...initial, ...kept } as Fields,
    isRestored,
    keep(fields: Fields) {
      const safe = Object.entries(fields).filter(([name]) => !without?.includes(name))
      if (!key) return
      // Who goes on with it knows.
      setRestored(false)
      if (safe.every(([name, value]) => value === initial[name])) forgetDraft(key)
      else keepDraft(key, Object.fromEntries(safe))
    },
    forget() {
      if (key) forgetDraft(key)
      setRestored(false)
    },
  }
}

interface FormProps extends Pick<StackProps, 'gap' | 'mt' | 'maw'> {
  readonly form: Pick<
    ReturnType<typeof useForm>,
    'failure' | 'noValidate' | 'submit' | 'checks' | 'keepsDraft' | 'isRestored' | 'reset'
  > & {
    readonly sent: { readonly isPending: boolean; readonly error?: unknown }
  }
  /** The label of the button. */
  readonly submit: string
  readonly children: ReactNode
  /** Shows a button beside it, as dialogs have one. */
  readonly onCancel?: () => void
  /** After it was sent; what is chosen in it is lost with it, and nobody minds. */
  readonly staysOpen?: boolean
  /** The dialog begins at that button. */
  readonly isCancelFirst?: boolean
  readonly isReady?: boolean
  readonly isWide?: boolean
  readonly color?: MantineColor
  /** How a refusal is shown. */
  readonly refusal?: (failure: unknown) => ReactNode
  /** The elements around the button. */
  readonly actions?: (button: ReactNode) => ReactNode
}

/** The fields of a form, what went wrong, and the button that sends it. */
export function Form(props: FormProps) {
  const { form, submit, onCancel, staysOpen = false, isCancelFirst, isReady = true, isWide, color, refusal } = props
  const { children, actions = (button: ReactNode) => (isWide ? button : <Group>{button}</Group>), gap, mt, maw } = props
  const shown = useRef<HTMLFormElement>(null)
  const { error } = form.sent
  const { checks } = form
  useEffect(() => {
    if (error || checks > 0) showFirstWrong(shown.current)
  }, [error, checks])
  const button = (
    <Button
      type="submit"
      loading={form.sent.isPending}
      disabled={!isReady}
      fullWidth={isWide}
      color={color}
      {...(isWide && { mt: 'xs' })}
    >
      {submit}
    </Button>
  )
  return (
    <form
      ref={shown}
      onSubmit={event => form.submit(event, isReady)}
      noValidate={form.noValidate}
      // A dialog around it would ask before something that was written is lost.
      onChange={event => (staysOpen || form.keepsDraft) && event.stopPropagation()}
    >
      <Stack gap={gap} mt={mt} maw={maw}>
        {form.isRestored && <DraftNotice onDiscard={form.reset} />}
        {children}
        {form.failure && (refusal ? refusal(form.failure) : <ErrorView error={form.failure} />)}
        {onCancel ? (
          <Group justify="flex-end" className="form-end">
            <Button variant="default" onClick={onCancel} {...(isCancelFirst && { 'data-autofocus': true })}>
              {staysOpen ? texts.common.close : texts.common.cancel}
            </Button>
            {button}
          </Group>
        ) : (
          actions(button)
        )}
      </Stack>
    </form>
  )
}

/** In a long form, the field that was refused may be out of sight, or folded. A group of boxes is wrong as a whole. */
function showFirstWrong(form: HTMLElement | null): void {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"], .mantine-InputWrapper-error')
  const folded = wrong?.closest('details')
  if (folded) folded.open = true
  wrong?.closest('.mantine-InputWrapper-root')?.querySelector<HTMLElement>('input, textarea, select')?.focus()
}

/** Says that the fields hold what was written before the page was left, and offers to begin anew. */
export const DraftNotice = ({ onDiscard }: { onDiscard: () => void }) => (
  <Alert color="blue" role="status" p="xs">
    <Group justify="space-between" gap="xs">
      <Text size="sm">{texts.common.restored}</Text>
      <Button size="xs" variant="default" onClick={onDiscard}>
        {texts.common.discardDraft}
      </Button>
    </Group>
  </Alert>
)
