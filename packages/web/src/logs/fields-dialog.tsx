import { Dialog } from '../ui/dialog.tsx'
import { type FacetsProps, FieldList } from './facets.tsx'
import type { LogsAddress } from './logs-address.ts'

type FieldsDialogProps = FacetsProps & { onClose: () => void }

/** The fields, when there is no room for them beside the rows. A choice shows the remaining rows. */
export function FieldsDialog({ address, onClose, ...rest }: FieldsDialogProps) {
  const edit: LogsAddress['edit'] = (change) => {
    address.edit(change)
    onClose()
  }
  const change: LogsAddress['change'] = (...changes) => {
    address.change(...changes)
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title="Fields" description="Choose a value to see only the records that have it.">
      <div className="-mx-3">
        <FieldList {...rest} address={{ ...address, edit, change }} />
      </div>
    </Dialog>
  )
}
