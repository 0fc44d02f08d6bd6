import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'

/** A button that chooses a file. */
export function ChooseFile(props: { label: string; accept: string; isBusy: boolean; onChoose: (file: File) => void }) {
  const { label, accept, isBusy, onChoose } = props
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        {...{ ref: chooser, type: 'file', hidden: true, accept, 'aria-label': label, tabIndex: -1 }}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onChoose(file)
          currentTarget.value = ''
        }}
      />
      <Button
        variant="default"
        size="xs"
        leftSection={<IconUpload size={14} />}
        loading={isBusy}
        onClick={() => chooser.current?.click()}
      >
        {label}
      </Button>
    </>
  )
}
