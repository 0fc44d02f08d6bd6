import { Button, Group, type MantineColor, Stack, type StyleProp } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { ErrorView } from './ErrorView.tsx'
import { fieldErrors } from './formErrors.ts'

type Values = Readonly<Record<string, string | boolean>>
type Problems = Readonly<Record<string, string | undefined>>

interface FormOptions<Fields extends Values, Answer> {
  /** The initial values of the fields. */
  readonly initial: Fields
  /** Checks before the form is sent; null: nothing is wrong. */
  readonly rules?: { readonly [Name in keyof Fields]?: (value: Fields[Name], fields: Fields) => string | null }
  /**
   * When problems are shown: at the first attempt to submit; also when a field is left; or from then on at each key.
   */
  readonly checks?: 'onSubmit' | 'onBlur' | 'live'
  /** Where a refusal that names a field is shown. */
  readonly refusals?: 'belowFields' | 'atField' | 'atFieldAndBelow'
  /** The rules alone check the fields, and the browser does not. */
  readonly noValidate?: boolean
  readonly send: (fields: Fields) => Promise<Answer>
  readonly onSuccess?: (answer: Answer) => void
  readonly onError?: (thrown: unknown, fields: Fields) => void
}

/** The values of a form's fields, their problems, and submitting them. {@link Form} renders it. */
export function useForm<Fields extends Values, Answer>(options: FormOptions<Fields, Answer>) {
  const {
    initial,
    checks = 'onSubmit',
    refusals = 'belowFields',
    noValidate = false,
    send,
    onSuccess,
    onError,
  } = options
  const rules: NonNullable<typeof options.rules> = options.rules ?? {}
  const [fields, setFields] = useState(initial)
  const [problems, setProblems] = useState<Problems>({})
  const [wasChecked, setChecked] = useState(false)
  const problemOf = (name: keyof Fields) => rules[name]?.(fields[name], fields) ?? undefined
  const found = Object.fromEntries(Object.keys(rules).map(name => [name, problemOf(name)]))
  const sent = useMutation({
    mutationFn: send,
    onSuccess,
    onError(thrown, given) {
      if (refusals === 'atFieldAndBelow') setProblems(fieldErrors(thrown))
      onError?.(thrown, given)
    },
  })
  const named = refusals === 'atField' && sent.error ? Object.entries(fieldErrors(sent.error)) : []
  const refused = Object.fromEntries(named.filter(([name]) => Object.hasOwn(fields, name)))
  const shown: Problems = { ...problems, ...(checks === 'live' && wasChecked && found), ...refused }
  const set = (next: Partial<Fields>) => {
    setFields(before => ({ ...before, ...next }))
    setProblems(before => ({ ...before, ...Object.fromEntries(Object.keys(next).map(name => [name, undefined])) }))
  }
  return {
    fields,
    set,
    sent,
    /** The text below the fields. */
    failure: sent.error && Object.keys(refused).length === 0 ? sent.error : null,
    noValidate,
    /** Resets the fields and their problems. */
    reset() {
      setFields(initial)
      setProblems({})
      setChecked(false)
    },
    /** The properties of a text input. */
    text: (name: keyof Fields & string) => ({
      value: String(fields[name]),
      onChange: ({
        currentTarget: { value },
      }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
        set({ [name]: value } as Partial<Fields>),
      ...(checks === 'onBlur' && { onBlur: () => setProblems(before => ({ ...before, [name]: problemOf(name) })) }),
      error: shown[name],
    }),
    submit(event: FormEvent, isReady = true) {
      event.preventDefault()
      if (!isReady) return
      setChecked(true)
      setProblems(found)
      if (Object.values(found).every(problem => problem === undefined)) sent.mutate(fields)
    },
  }
}

interface FormProps {
  readonly form: Pick<ReturnType<typeof useForm>, 'failure' | 'noValidate' | 'submit'> & {
    readonly sent: { readonly isPending: boolean }
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
  readonly gap?: 'sm'
  readonly maw?: StyleProp<number>
  /** How a refusal is shown. */
  readonly refusal?: (failure: unknown) => ReactNode
  /** The elements around the button. */
  readonly actions?: (button: ReactNode) => ReactNode
}

/** The fields of a form, what went wrong, and the button that sends it. */
export function Form(props: FormProps) {
  const { form, submit, children, onCancel, isCancelFirst, isReady = true, isWide, color, gap, maw, refusal } = props
  const { staysOpen = false } = props
  const { actions = (button: ReactNode) => (isWide ? button : <Group>{button}</Group>) } = props
  const button = (
    <Button type="submit" loading={form.sent.isPending} disabled={!isReady} fullWidth={isWide} color={color}>
      {submit}
    </Button>
  )
  return (
    <form
      onSubmit={event => form.submit(event, isReady)}
      noValidate={form.noValidate}
      // A dialog around it would take it for something that was written.
      onChange={event => staysOpen && event.stopPropagation()}
    >
      <Stack gap={gap} maw={maw}>
        {children}
        {form.failure && (refusal ? refusal(form.failure) : <ErrorView error={form.failure} />)}
        {onCancel ? (
          <Group justify="flex-end">
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
