import { useLayoutEffect, useState } from "preact/hooks";

const themes = ["auto", "light", "dark"] as const;
const key = "opcat-picker-theme";

function remembered(): (typeof themes)[number] {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? "auto";
  } catch {
    return "auto"; // a browser may let a page remember nothing
  }
}

export function ThemeButton() {
  const [theme, setTheme] = useState(remembered);
  useLayoutEffect(() => { // before the first paint: a remembered theme does not flash the other one
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(key, theme);
    } catch {
      // as above
    }
  }, [theme]);
  return (
    <label class="theme">
      <span>Theme</span>
      <select value={theme} onChange={(e) => setTheme(e.currentTarget.value as typeof theme)}>
        {themes.map((t) => <option key={t}>{t}</option>)}
      </select>
    </label>
  );
}
