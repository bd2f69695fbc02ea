// The scenes of the example brand: one window at ten o'clock, a white card opposite, a beech bench.
#include "trace.h"

#define LOGO_BLADE "M19 10l4 8L8 48H0z"
#define LOGO_STOCK "M24 0h8l24 48H40L20 8z"
#define LOGO_NAME                                                                                                        \
  "M99 4.2v13.6h-2.2C95 10.5 90.5 6.5 85 6.5c-8 0-12.5 6.5-12.5 17.5S77 41.5 85 41.5"                                   \
  "c5.5 0 10-4 11.8-11.3H99v13.6c-4 3.1-9.5 4.8-15.5 4.8C68.5 48.6 58 38.5 58 24S68.5-.6 83.5-.6c6 0 11.5 1.7 15.5 4.8z" \
  "M106 0h16l16 32 16-32h14v48h-14V16l-16 32h-8l-16-32v32h-8z M178 0h36v8h-21v11.5h17v8h-17V40h21v8h-36z"

static int bench, wall, beech, ash, steel, edge, brass, iron, board, white, lamp, card, shaving, vermilion, ink;

static void make_materials(void) {
  bench = add_material((Material){.color = v(0.47f, 0.325f, 0.205f), .texture = PLANKS, .rough = 0.42f, .coat = 0.8f});
  wall = add_material((Material){.color = mix(mul(hex(INK), 2.4f), v(0.05f, 0.05f, 0.05f), 0.3f), .texture = PLASTER, .rough = 0.9f});
  beech = add_material((Material){.color = v(0.56f, 0.31f, 0.145f), .texture = WOOD, .rough = 0.26f, .coat = 1});
  ash = add_material((Material){.color = v(0.66f, 0.46f, 0.26f), .texture = ASH, .rough = 0.28f, .coat = 1});
  steel = add_material((Material){.color = v(0.56f, 0.57f, 0.58f), .texture = BRUSHED, .rough = 0.3f, .metal = 1});
  edge = add_material((Material){.color = v(0.78f, 0.79f, 0.8f), .texture = BRUSHED, .rough = 0.16f, .metal = 1});
  brass = add_material((Material){.color = v(0.78f, 0.53f, 0.2f), .texture = BRUSHED, .rough = 0.22f, .metal = 1});
  iron = add_material((Material){.color = mul(hex(INK), 1.9f), .texture = CAST, .rough = 0.34f, .coat = 1});
  board = add_material((Material){.color = v(0.43f, 0.27f, 0.14f), .texture = BOARD, .rough = 0.9f});
  white = add_material((Material){.color = v(0.82f, 0.8f, 0.76f), .texture = PAPER_FIBRE, .rough = 0.8f});
  lamp = add_material((Material){.color = v(1, 0.97f, 0.93f), .emit = 17});
  card = add_material((Material){.color = v(0.85f, 0.84f, 0.82f), .rough = 0.9f});
  shaving = add_material((Material){.color = v(0.76f, 0.52f, 0.3f), .texture = SHAVING, .rough = 0.6f});
  vermilion = add_material((Material){.color = hex(VERMILION), .rough = 0.35f, .coat = 1});
  ink = add_material((Material){.color = hex(INK), .rough = 0.35f, .coat = 1});
}

// A bench at y = 0, with the window on the left and the card on the right.
static void make_room(float lamp_height) {
  quad(v(-150, 0, 62), v(150, 0, 62), v(150, 0, -58), v(-150, 0, -58), bench);
  quad(v(-260, -90, -64), v(260, -90, -64), v(260, 220, -64), v(-260, 220, -64), wall);
  for (int pane = 0; pane < 4; pane++) { // Between the panes are glazing bars.
    float z = -34 + 52 * (pane % 2), y = lamp_height + 47 * (pane / 2);
    quad(v(-128, y, z), v(-128, y, z + 48), v(-116, y + 43, z + 48), v(-116, y + 43, z), lamp);
  }
  quad(v(105, 0, -40), v(105, 0, 40), v(105, 60, 40), v(105, 60, -40), card);
  lighting = (Lighting){.sky = v(0.3f, 0.31f, 0.32f), .ground = v(0.12f, 0.11f, 0.1f), .exposure = 1};
}

// A bench chisel along x: the edge is at 14, the end of the handle at -13.
static void chisel(int handle, int blade, int bevel, float width) {
  const float wood[] = {-12.8f, 0, -12.8f, 0.95f, -12.55f, 1.15f, -12, 1.3f, -10.5f, 1.42f, -8.5f, 1.4f, -6, 1.18f, -4, 1.02f, -2.4f, 1.08f, -1.5f, 1.12f, -1.2f, 0.98f};
  const float hoop[] = {-12.3f, 0.9f, -12.3f, 1.36f, -12.2f, 1.41f, -11.75f, 1.44f, -11.65f, 1.4f, -11.65f, 0.9f};
  const float ring[] = {-1.45f, 0.6f, -1.45f, 1.06f, -1.38f, 1.13f, -0.2f, 1.02f, -0.1f, 0.95f, -0.1f, 0.3f};
  const float neck[] = {-0.1f, 0.62f, 0.15f, 0.66f, 0.3f, 0.6f, 0.55f, 0.42f, 1.2f, 0.38f, 2.2f, 0.4f, 2.8f, 0.3f};
  lathe(wood, 11, handle), lathe(hoop, 6, brass), lathe(ring, 6, brass), lathe(neck, 7, blade);
  float h = width / 2, land = 0.09f, top = h * 0.52f, y0 = -0.2f, y1 = 0.2f, end = 14, a = end - land / 0.466f, b = end - 0.4f / 0.466f, start = 2.1f;
  V base[] = {v(start, y0, h), v(end, y0, h), v(end, y0, -h), v(start, y0, -h)};
  quad(base[3], base[2], base[1], base[0], blade);
  for (int s = -1; s <= 1; s += 2) {
    quad(v(start, y0, s * h), v(end, y0, s * h), v(a, y0 + land, s * h), v(start, y0 + land, s * h), blade);
    quad(v(start, y0 + land, s * h), v(a, y0 + land, s * h), v(b, y1, s * top), v(start + 0.5f, y1, s * top), blade);
    quad(v(start, y0, 0), v(start, y0, s * h), v(start, y0 + land, s * h), v(start + 0.5f, y1, s * top), blade);
  }
  quad(v(start + 0.5f, y1, top), v(b, y1, top), v(b, y1, -top), v(start + 0.5f, y1, -top), blade);
  quad(v(start, y0, 0), v(start + 0.5f, y1, top), v(start + 0.5f, y1, -top), v(start, y0, 0), blade);
  quad(v(end, y0, h), v(end, y0, -h), v(a, y0 + land, -h), v(a, y0 + land, h), bevel);
  quad(v(a, y0 + land, h), v(a, y0 + land, -h), v(b, y1, -top), v(b, y1, top), bevel);
}
static void lay_chisel(float x, float z, float degrees, int handle, int blade, int bevel, float width) {
  push(), move(x, 1.42f, z), turn('y', degrees), turn('z', -3.1f);
  chisel(handle, blade, bevel, width);
  pop();
}

// A curl of wood around z, which drifts sideways and widens.
static void curl(float x, float y, float z, float degrees, float radius, float turns, float width, float drift) {
  static V line[600];
  int n = (int)(turns * 60);
  for (int i = 0; i < n; i++) {
    float t = i / 60.f, r = radius * (1 - 0.5f * t / turns + 0.06f * sinf(5 * t)), a = -1.4f + 6.28319f * t;
    line[i] = v(r * cosf(a), radius + r * sinf(a), drift * t);
  }
  push(), move(x, y, z), turn('y', degrees);
  ribbon(line, n, v(0, 0, width), shaving);
  pop();
}
// A shaving that lies on the bench in waves.
static void wave(float x, float z, float degrees, float length, float width) {
  static V line[400];
  for (int i = 0; i < 400; i++) {
    float t = i / 399.f;
    line[i] = v(length * t, 0.1f + 0.55f * (1 - cosf(11 * t)) * (0.4f + t) + 2.2f * t * t * t, 1.1f * sinf(4 * t));
  }
  push(), move(x, 0, z), turn('y', degrees);
  ribbon(line, 400, v(0, 0, width), shaving);
  pop();
}

// A No. 4 smoothing plane along x; its toe points to the right.
static void plane(void) {
  const char *cheek = "M-12.2 0 H12.3 V-0.9 C9 -1 7.6 -1.5 6.2 -3 C5.4 -4 4.6 -4.5 3.4 -4.6 C0.8 -4.8 -2 -4.4 -3.4 -3.2 C-4.8 -1.8 -6.4 -1.15 -9 -1.05 L-12.2 -0.95 Z";
  for (int s = -1; s <= 1; s += 2) {
    push(), move(0, 0, s > 0 ? 2.72f : -3.15f);
    extrude(cheek, 0, 0.43f, 0.06f, iron);
    pop();
  }
  rounded_box(v(-4.1f, 0.32f, 0), v(8.1f, 0.32f, 3.1f), 0.05f, iron);
  rounded_box(v(8.5f, 0.32f, 0), v(3.8f, 0.32f, 3.1f), 0.05f, iron);
  push(), move(-1.6f, 0.6f, -2.2f); // The frog
  extrude("M-2.6 0 H4.6 L4.2 -0.4 L0.2 -4.4 L-1.1 -4.6 L-2.2 -2 Z", 0, 4.4f, 0.08f, iron);
  pop();
  push(), move(3.9f, -0.02f, 0), turn('z', 135);
  push(), turn('x', -90), move(0, 0, 0.05f);
  extrude("M0 -2.55 H15.6 C16.6 -2.5 17.1 -1.5 17.1 0 C17.1 1.5 16.6 2.5 15.6 2.55 H0 Z", -0.33f, 0, 0.03f, edge);
  extrude("M0.6 -2.5 H13.5 V2.5 H0.6 Z", -0.72f, -0.33f, 0.02f, steel);
  extrude("M1 -2.3 H5 C7 -2.3 8 -1.5 10.8 -1.3 C12.4 -1.2 12.8 -0.8 12.8 0 C12.8 0.8 12.4 1.2 10.8 1.3 C8 1.5 7 2.3 5 2.3 H1 Z", -0.7f, -0.1f, 0.14f, edge);
  pop(), pop();
  // The lever cap lies on the blade, towards the toe.
  push(), move(3.75f, 0.5f, 0), turn('z', 135), turn('x', 90);
  extrude("M0.6 -2.4 H4.6 C6.6 -2.4 7.4 -1.6 9.4 -1.4 C11.2 -1.2 11.8 -0.9 11.8 0 C11.8 0.9 11.2 1.2 9.4 1.4 C7.4 1.6 6.6 2.4 4.6 2.4 H0.6 Z", 0, 0.55f, 0.2f, edge);
  pop();
  const float screw[] = {0, 0, 0, 0.62f, 0.12f, 0.72f, 0.3f, 0.6f, 0.34f, 0};
  push(), move(0.25f, 4.75f, 0), turn('z', 45), lathe(screw, 5, brass), pop();
  const float wheel[] = {-0.5f, 0, -0.5f, 1.1f, -0.4f, 1.3f, 0, 1.36f, 0.4f, 1.3f, 0.5f, 1.1f, 0.5f, 0.4f, 2.2f, 0.34f};
  push(), move(-4.6f, 3.6f, 0), turn('z', -8), lathe(wheel, 8, brass), pop();
  const float knob[] = {0, 1.55f, 0.25f, 1.6f, 0.6f, 1.3f, 1.3f, 1.0f, 2.2f, 1.05f, 3, 1.45f, 3.8f, 1.78f, 4.6f, 1.8f, 5.3f, 1.5f, 5.75f, 0.9f, 5.9f, 0.45f, 5.9f, 0};
  const float nut[] = {5.85f, 0.42f, 5.98f, 0.4f, 6.02f, 0};
  push(), move(9.1f, 0.62f, 0), turn('z', 90), lathe(knob, 12, beech), lathe(nut, 3, brass), pop();
  push(), move(-8.6f, 0.62f, -1.12f); // The tote
  extrude("M-3 0 H4.4 C4.6 -0.9 3.4 -1.3 2.4 -1.6 C1 -2.1 0.7 -3.2 0.9 -4.4 C1.1 -5.7 1.9 -6.6 1.8 -7.7 C1.7 -8.5 0.6 -8.6 -0.2 -8.9 "
          "C-1.2 -9.3 -2.2 -10.1 -3.3 -9.9 C-4.4 -9.7 -4.3 -8.7 -3.6 -8.2 C-2.4 -7.3 -2.2 -6.2 -2.4 -5 C-2.6 -3.6 -3.2 -2.8 -3.3 -1.7 C-3.4 -0.9 -3.3 -0.4 -3 0 Z", 0, 1.5f, 0.38f, beech);
  pop();
  push(), move(-8.6f, 0.62f, 0); // Its other half
  extrude("M-3 0 H4.4 C4.6 -0.9 3.4 -1.3 2.4 -1.6 C1 -2.1 0.7 -3.2 0.9 -4.4 C1.1 -5.7 1.9 -6.6 1.8 -7.7 C1.7 -8.5 0.6 -8.6 -0.2 -8.9 "
          "C-1.2 -9.3 -2.2 -10.1 -3.3 -9.9 C-4.4 -9.7 -4.3 -8.7 -3.6 -8.2 C-2.4 -7.3 -2.2 -6.2 -2.4 -5 C-2.6 -3.6 -3.2 -2.8 -3.3 -1.7 C-3.4 -0.9 -3.3 -0.4 -3 0 Z", -1.4f, 0.1f, 0.38f, beech);
  pop();
}

static int print_of(const char *file, V tint) {
  return add_material((Material){.color = tint, .texture = PRINT, .rough = 0.7f, .coat = 0.25f, .image = load_image(file)});
}
// A standing carton: width along x, depth along z, with a printed front and one side.
static void carton(float w, float h, float d, int front, int side, int lid) {
  rounded_box(v(0, h / 2, 0), v(w / 2, h / 2, d / 2), 0.12f, board);
  float e = 0.012f, i = 0.1f;
  quad(v(-w / 2 + i, i, d / 2 + e), v(w / 2 - i, i, d / 2 + e), v(w / 2 - i, h - i, d / 2 + e), v(-w / 2 + i, h - i, d / 2 + e), front);
  quad(v(w / 2 + e, i, d / 2 - i), v(w / 2 + e, i, -d / 2 + i), v(w / 2 + e, h - i, -d / 2 + i), v(w / 2 + e, h - i, d / 2 - i), side);
  quad(v(-w / 2 + i, h + e, d / 2 - i), v(w / 2 - i, h + e, d / 2 - i), v(w / 2 - i, h + e, -d / 2 + i), v(-w / 2 + i, h + e, -d / 2 + i), lid);
}

// The plane with the shaving that it has just taken, and the beech box that it lives in.
static void plane_with_shaving(void) {
  static V line[500];
  plane();
  for (int i = 0; i < 460; i++) {
    float t = (i - 60) / 100.f, r = 1.75f - 0.2f * t, a = 2.9f * t;
    line[i] = i < 60 ? v(4.35f - 0.012f * i, 0.5f + 0.1f * i, 0) : v(3.6f + 1.75f - r * cosf(a), 6.5f + r * sinf(a), -0.12f * t);
  }
  ribbon(line, 460, v(0, 0, 4.6f), shaving);
}
static void scene_plane(void) {
  make_room(52);
  camera = (Camera){.eye = v(25, 24, 60), .at = v(0.5f, 4.6f, 0), .fov = 21, .aperture = 0.5f, .focus = 66};
  push(), move(0, 0, -1), turn('y', 24), plane_with_shaving(), pop();
  curl(17, 0, 6, 40, 1.3f, 3.2f, 4, 0.5f), curl(-14.5f, 0, 7, -65, 1.2f, 2.6f, 3.6f, 0.7f), curl(20, 0, -10, 120, 1.4f, 2.2f, 4, 0.6f);
  curl(-22, 0, -8, 20, 1.3f, 2.9f, 3.6f, 0.4f), wave(8, 13, -20, 10, 3.4f), curl(-4, 0, 13, 75, 1, 3.4f, 3.2f, 0.8f);
  lay_chisel(-17, -21, 10, ash, steel, edge, 1.9f);
  lighting.exposure = 0.95f;
}
static void scene_box(void) {
  int branded = add_material((Material){.color = v(0.56f, 0.33f, 0.165f), .texture = BRANDED, .rough = 0.3f, .coat = 1, .image = load_image("build/brand.ppm")});
  make_room(52);
  camera = (Camera){.eye = v(20, 30, 70), .at = v(1, 6.4f, -2), .fov = 24, .aperture = 0.5f, .focus = 74};
  push(), move(6, 0, -12), turn('y', 7);
  rounded_box(v(0, 7.6f, 0), v(18, 7.6f, 5.8f), 0.18f, beech);
  quad(v(-17.6f, 0.5f, 5.82f), v(17.6f, 0.5f, 5.82f), v(17.6f, 14.8f, 5.82f), v(-17.6f, 14.8f, 5.82f), branded);
  rounded_box(v(0, 15.65f, 0), v(18.3f, 0.4f, 6.1f), 0.15f, beech);
  pop();
  push(), move(-8, 0, 8), turn('y', 22), plane_with_shaving(), pop();
  curl(-25, 0, 2, -65, 1.2f, 2.6f, 3.6f, 0.7f), curl(19, 0, 3, 30, 1.3f, 3, 3.8f, 0.5f), curl(12, 0, 12, 60, 1.1f, 3.2f, 3.4f, 0.6f), wave(-2, 17, -15, 9, 3.2f);
  lighting.exposure = 0.95f;
}
static void scene_chisel(void) {
  make_room(48);
  camera = (Camera){.eye = v(13, 22, 30), .at = v(3.2f, 0.2f, -0.6f), .fov = 29, .aperture = 0.4f, .focus = 37};
  lay_chisel(1.4f, 0.2f, 29, ash, steel, edge, 1.9f);
  curl(15.5f, 0, -11.5f, 35, 1.35f, 3.1f, 2.1f, 0.5f), curl(9, 0, 8.5f, -30, 1.05f, 2.7f, 1.8f, 0.6f), wave(15.5f, 3, 60, 8, 1.7f);
  curl(19.5f, 0, 2.2f, 100, 1.2f, 3.4f, 2, 0.4f), curl(-17, 0, -9, 80, 1.3f, 2.4f, 2, 0.5f), wave(-3, -12, 15, 9, 1.8f);
  lighting.exposure = 0.95f;
}
// The same chisel from nearer, before and after a morning in the sharpening room.
static void scene_edge(int is_after) {
  int worn = add_material((Material){.color = v(0.5f, 0.49f, 0.47f), .texture = WORN, .rough = 0.42f, .metal = 1});
  int grey = add_material((Material){.color = v(0.4f, 0.27f, 0.16f), .texture = ASH, .rough = 0.62f, .coat = 0.4f});
  make_room(48);
  camera = (Camera){.eye = v(13.5f, 10.5f, 9), .at = v(7.2f, 0.4f, -2.6f), .fov = 27, .aperture = 0.2f, .focus = 16.6f};
  lay_chisel(-3, 0, 18, is_after ? ash : grey, is_after ? steel : worn, is_after ? edge : worn, 2.5f);
  if (is_after) curl(9.5f, 0, -8.5f, 30, 0.8f, 3.2f, 2, 0.4f), curl(13, 0, -1.2f, 100, 0.6f, 2.6f, 1.6f, 0.4f);
  lighting.exposure = 0.95f;
}
static void scene_cartons(void) {
  V tint = v(0.5f, 0.325f, 0.175f);
  int tall = print_of("build/carton-plane.ppm", tint), slim = print_of("build/carton-chisel.ppm", tint), small = print_of("build/carton-stone.ppm", tint);
  int side = print_of("build/carton-side.ppm", tint), lid = print_of("build/carton-lid.ppm", tint);
  make_room(50);
  camera = (Camera){.eye = v(20, 25, 84), .at = v(2.5f, 12.6f, 0), .fov = 25, .aperture = 0.5f, .focus = 80};
  push(), move(-9.5f, 0, -5), turn('y', -14), carton(16, 29, 9.5f, tall, side, lid), pop();
  push(), move(6.8f, 0, -3.5f), turn('y', 9), carton(8.5f, 25, 5.5f, slim, side, lid), pop();
  push(), move(17.5f, 0, 2.5f), turn('y', -24), carton(8, 13.5f, 4.6f, small, side, lid), pop();
  lay_chisel(2.5f, 14, 12, ash, steel, edge, 1.9f);
  curl(-15, 0, 10, 50, 1.5f, 3, 2.4f, 0.5f), curl(24, 0, 13, -20, 1.2f, 2.6f, 2.2f, 0.5f);
  lighting.exposure = 0.9f;
}
static void scene_catalogue(void) {
  int left = print_of("build/catalogue-left.ppm", v(0.86f, 0.85f, 0.83f)), right = print_of("build/catalogue-right.ppm", v(0.86f, 0.85f, 0.83f));
  make_room(52);
  camera = (Camera){.eye = v(13, 43, 45), .at = v(1.5f, 0, 0.5f), .fov = 25.5f, .aperture = 0.45f, .focus = 61};
  push(), turn('y', 11);
  for (int page = 0; page < 2; page++)
    for (int sheet = 0; sheet < 4; sheet++) { // The top sheet is printed, the others show their edges.
      enum { N = 40 };
      V grid[N * 2];
      for (int i = 0; i < N; i++) {
        float t = page ? i / (N - 1.f) : 1 - i / (N - 1.f);
        float x = (21 - 0.16f * sheet) * t, y = (0.62f - 0.13f * sheet) * (1 - 0.55f * t) + 1.5f * (t * expf(-7 * t) * 6) * (1 - 0.1f * sheet) - 0.55f * expf(-30 * t);
        if (y < 0.03f) y = 0.03f;
        if (page && sheet == 0) y += 0.9f * t * t * t * t;
        for (int k = 0; k < 2; k++) grid[k * N + i] = v(page ? x : -x, y, 14.85f * (k ? -1 : 1));
      }
      patch(grid, N, 2, sheet ? white : page ? right : left);
    }
  pop();
  lay_chisel(29, -2, 78, ash, steel, edge, 1.9f);
  curl(-27, 0, 8, 60, 1.5f, 2.8f, 2.4f, 0.5f), curl(-25, 0, 13.5f, 0, 1.1f, 3, 2, 0.5f);
  lighting.exposure = 0.9f;
}
static void scene_sign(void) {
  int stucco = add_material((Material){.color = v(0.74f, 0.68f, 0.58f), .texture = PLASTER, .rough = 0.95f});
  int painted = add_material((Material){.color = mul(hex(INK), 1.15f), .texture = CAST, .rough = 0.4f, .coat = 0.8f});
  int enamel = add_material((Material){.color = v(0.84f, 0.82f, 0.78f), .rough = 0.3f, .coat = 1});
  int red = add_material((Material){.color = mul(hex(VERMILION), 1.05f), .rough = 0.3f, .coat = 1});
  int glass = add_material((Material){.color = v(0.012f, 0.016f, 0.02f), .rough = 0.05f, .coat = 1.6f});
  quad(v(-900, -400, 0), v(900, -400, 0), v(900, 600, 0), v(-900, 600, 0), stucco);
  rounded_box(v(0, 0, 7), v(190, 37, 7), 0.8f, painted);
  rounded_box(v(0, 39.5f, 10), v(197, 3.2f, 13), 1.4f, painted); // The cornice
  rounded_box(v(0, 44, 11), v(201, 1.6f, 17), 1, painted);
  rounded_box(v(0, -39, 9), v(194, 2.4f, 10), 1, painted);
  for (int s = -1; s <= 1; s += 2) rounded_box(v(s * 186, -2, 9), v(7, 38, 9), 1, painted);
  push(), move(-107 * 1.02f, 24 * 1.02f, 14.5f), scale(1.02f);
  extrude(LOGO_BLADE, 0, 4.6f, 0.35f, red), extrude(LOGO_STOCK, 0, 4.6f, 0.35f, enamel), extrude(LOGO_NAME, 0, 4.6f, 0.35f, enamel);
  pop();
  quad(v(-176, -300, 2), v(176, -300, 2), v(176, -43, 2), v(-176, -43, 2), glass);
  for (int i = -3; i <= 3; i++) rounded_box(v(i * 58.6f, -180, 5), v(2.2f, 138, 4), 0.7f, painted);
  rounded_box(v(0, -100, 5), v(180, 2, 3.4f), 0.7f, painted);
  lighting = (Lighting){.sky = v(0.34f, 0.45f, 0.62f), .ground = v(0.2f, 0.17f, 0.14f), .sun = v(-0.62f, 0.66f, 0.78f), .sun_color = v(2.3f, 2, 1.6f), .sun_size = 0.0007f, .exposure = 0.62f};
  camera = (Camera){.eye = v(150, -62, 420), .at = v(16, -6, 0), .fov = 29, .aperture = 0.8f, .focus = 440};
}

int build_scene(const char *name) {
  make_materials();
  if (!strcmp(name, "plane")) scene_plane();
  else if (!strcmp(name, "box")) scene_box();
  else if (!strcmp(name, "chisel")) scene_chisel();
  else if (!strcmp(name, "edge-before")) scene_edge(0);
  else if (!strcmp(name, "edge-after")) scene_edge(1);
  else if (!strcmp(name, "cartons")) scene_cartons();
  else if (!strcmp(name, "catalogue")) scene_catalogue();
  else if (!strcmp(name, "sign")) scene_sign();
  else return 0;
  return 1;
}
