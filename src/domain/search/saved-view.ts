/** Search of a person in the list of one project. */
export interface SavedView {
  readonly id: number;
  /** 1 to MAX_VIEW_NAME characters, unique per person and project. */
  readonly name: string;
  /** Query string of the list's address without its page, such as `status=all&search=level%3Afatal`. */
  readonly query: string;
  /** The view that the list opens with; at most one per person and project. */
  readonly isDefault: boolean;
}

/** Maximum of views per person and project. */
export const MAX_SAVED_VIEWS = 50;

/** Maximum characters of a view's query. */
export const MAX_VIEW_QUERY = 1_000;

/** Maximum of projects that a person marks as favourites. */
export const MAX_FAVOURITES = 200;

/** Maximum characters of a view's name. */
export const MAX_VIEW_NAME = 60;
