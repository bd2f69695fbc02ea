// Next asks for one, also where nothing is shown.
export default function Layout({ children }) {
  return children
}
