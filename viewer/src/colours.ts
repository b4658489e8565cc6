// colours.ts: the palette, the same as that of `throng render`: groups after Okabe and Ito (2008), quantities on maps
// that are even to the eye (viridis, cividis), so that nobody has to tell red from green.

export type Theme = "light" | "dark";

export const groups = ["#3B7DB8", "#E07B39", "#3FA68A", "#C767A0", "#E0B13A", "#6CB9E0", "#8C564B", "#7A7F87"];

export const themes = {
  light: {
    outside: "#E3E6EA", floor: "#FDFDFB", wall: "#2F3640", text: "#22272E", faint: "#5F6873", exit: "#2E9E6B", goal: "#8A6FB5",
    zone: "#C98A1B", measure: "#1F6FB2", closed: "#A83232", object: "#C9A66B", obstacle: "#D5D9DF", accent: "#1F6FB2",
  },
  dark: {
    outside: "#0F1318", floor: "#1C2229", wall: "#AEB8C4", text: "#E8EBEF", faint: "#9AA5B1", exit: "#4CC38A", goal: "#B39DDB",
    zone: "#E0B13A", measure: "#6CB9E0", closed: "#E5736B", object: "#C9A66B", obstacle: "#2B333D", accent: "#6CB9E0",
  },
};

// Stops of viridis (van der Walt, Smith) and cividis (Nuñez, Anderton, Renslow 2018), every eighth of the way.
const viridis = ["#440154", "#472D7B", "#3B528B", "#2C728E", "#21918C", "#28AE80", "#5EC962", "#ADDC30", "#FDE725"];
const cividis = ["#00224E", "#1D3B6D", "#434E6C", "#61626F", "#7D7C78", "#9A9577", "#BBB06A", "#DECB58", "#FEE838"];

export function rgb(hex: string): [number, number, number] {
  const v = parseInt(hex.slice(1), 16);
  return [v >> 16, (v >> 8) & 255, v & 255];
}

/** 256 colours along a map, as bytes RGBA. */
export function ramp(name: "viridis" | "cividis", reversed = false): Uint8Array {
  const stops = (name === "viridis" ? viridis : cividis).map(rgb), out = new Uint8Array(1024);
  for (let i = 0; i < 256; i++) {
    const at = ((reversed ? 255 - i : i) / 255) * (stops.length - 1), k = Math.min(stops.length - 2, Math.floor(at));
    for (let c = 0; c < 3; c++) out[4 * i + c] = Math.round(stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]));
    out[4 * i + 3] = 255;
  }
  return out;
}

/** The same map as a CSS gradient, for legends. */
export function gradient(name: "viridis" | "cividis", reversed = false): string {
  const stops = name === "viridis" ? viridis : cividis;
  return `linear-gradient(90deg, ${(reversed ? [...stops].reverse() : stops).join(",")})`;
}
